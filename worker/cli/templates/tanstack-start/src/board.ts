import { createServerFn } from '@tanstack/react-start'
import { auth } from './auth.server'
import { addTask, removeTask, tasksOf } from './tasks.server'

/** The tasks of the organization in which the member works. */
export const readBoard = createServerFn().handler(async () => {
  const { session, permissions } = await auth.requireCaller({ returnTo: '/tasks' })
  const organization = session?.activeOrganizationId
  return {
    tasks: organization ? tasksOf(organization) : null,
    mayRemove: Boolean(organization) && (await permissions.has({ task: ['delete'] }, { organization: 'active' })),
    createUrl: auth.pageUrl('organizations/new', '/tasks'),
    membersUrl: auth.pageUrl('organization/members', '/tasks'),
  }
})

/** @returns the organization in which the member may do it */
async function organizationFor(action: 'create' | 'delete'): Promise<string> {
  const { session } = await auth.requireCaller({ permissions: { task: [action] }, organization: 'active' })
  return session!.activeOrganizationId!
}

export const add = createServerFn({ method: 'POST' })
  .validator((title: string) => title)
  .handler(async ({ data: title }) => addTask(await organizationFor('create'), title))

export const remove = createServerFn({ method: 'POST' })
  .validator((id: string) => id)
  .handler(async ({ data: id }) => removeTask(await organizationFor('delete'), id))
