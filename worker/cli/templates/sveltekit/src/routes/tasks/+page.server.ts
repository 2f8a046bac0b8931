import { auth } from '../../auth.server'
import { addTask, removeTask, tasksOf } from '../../tasks.server'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

/** The tasks of the organization in which the member works. */
export const load: PageServerLoad = async (event) => {
  const { session, permissions } = await auth.requireCaller(event)
  const organization = session?.activeOrganizationId
  return {
    tasks: organization ? tasksOf(organization) : null,
    mayRemove: Boolean(organization) && (await permissions.has({ task: ['delete'] }, { organization: 'active' })),
    createUrl: auth.pageUrl(event, 'organizations/new'),
    membersUrl: auth.pageUrl(event, 'organization/members'),
  }
}

/** @returns the organization in which the member may do it */
async function organizationFor(event: RequestEvent, action: 'create' | 'delete'): Promise<string> {
  const { session } = await auth.requireCaller(event, { permissions: { task: [action] }, organization: 'active' })
  return session!.activeOrganizationId!
}

const field = async (event: RequestEvent, name: string) => String((await event.request.formData()).get(name) ?? '')

export const actions: Actions = {
  add: async (event) => addTask(await organizationFor(event, 'create'), await field(event, 'title')),
  remove: async (event) => removeTask(await organizationFor(event, 'delete'), await field(event, 'id')),
}
