import { Form } from 'react-router'
import { auth } from '../auth.server'
import { addTask, removeTask, tasksOf } from '../tasks.server'
import type { Route } from './+types/tasks'

export const middleware: Route.MiddlewareFunction[] = [auth.protect()]

/** The tasks of the organization in which the member works. */
export async function loader(given: Route.LoaderArgs) {
  const { session, permissions } = await auth.requireCaller(given)
  const organization = session?.activeOrganizationId
  return {
    tasks: organization ? tasksOf(organization) : null,
    mayRemove: Boolean(organization) && (await permissions.has({ task: ['delete'] }, { organization: 'active' })),
    createUrl: auth.pageUrl(given.request, 'organizations/new'),
    membersUrl: auth.pageUrl(given.request, 'organization/members'),
  }
}

export async function action(given: Route.ActionArgs) {
  const form = await given.request.formData()
  const id = form.get('id')
  const permissions = { task: [id ? ('delete' as const) : ('create' as const)] }
  const { session } = await auth.requireCaller(given, { permissions, organization: 'active' })
  const organization = session!.activeOrganizationId!
  if (id) removeTask(organization, String(id))
  else addTask(organization, String(form.get('title') ?? ''))
  return null
}

export default function Tasks({ loaderData: { tasks, mayRemove, createUrl, membersUrl } }: Route.ComponentProps) {
  if (!tasks) {
    return (
      <>
        <h1>Tasks</h1>
        <a href={createUrl}>Create an organization</a>
      </>
    )
  }
  return (
    <>
      <h1>Tasks</h1>
      <ul>
        {tasks.map(({ id, title }) => (
          <li key={id}>
            {title}
            {mayRemove && (
              <Form method="post">
                <button type="submit" name="id" value={id}>
                  Remove
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <Form method="post" key={tasks.length}>
        <input name="title" aria-label="Title" required maxLength={200} />
        <button type="submit">Add</button>
      </Form>
      <a href={membersUrl}>Invite members</a>
    </>
  )
}
