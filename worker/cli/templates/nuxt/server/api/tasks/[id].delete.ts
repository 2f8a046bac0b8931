export default defineEventHandler({
  onRequest: auth.protect({ permissions: { task: ['delete'] }, organization: 'active' }),
  handler: (event) => {
    removeTask(auth.callerOf(event).session!.activeOrganizationId!, getRouterParam(event, 'id')!)
    return {}
  },
})
