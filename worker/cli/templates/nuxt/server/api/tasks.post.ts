export default defineEventHandler({
  onRequest: auth.protect({ permissions: { task: ['create'] }, organization: 'active' }),
  handler: async (event) => {
    const { title } = await readBody<{ title?: unknown }>(event)
    addTask(auth.callerOf(event).session!.activeOrganizationId!, String(title ?? ''))
    return {}
  },
})
