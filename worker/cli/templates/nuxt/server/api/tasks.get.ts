/** The tasks of the organization in which the member works. */
export default defineEventHandler({
  onRequest: auth.protect(),
  handler: async (event) => {
    const { session, permissions } = auth.callerOf(event)
    const organization = session?.activeOrganizationId
    return {
      tasks: organization ? tasksOf(organization) : null,
      mayRemove: Boolean(organization) && (await permissions.has({ task: ['delete'] }, { organization: 'active' })),
      createUrl: auth.pageUrl(event, 'organizations/new', '/tasks'),
      membersUrl: auth.pageUrl(event, 'organization/members', '/tasks'),
    }
  },
})
