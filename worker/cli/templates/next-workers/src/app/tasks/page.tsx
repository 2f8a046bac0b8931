import { auth } from '../../auth'
import { tasksOf } from '../../tasks'
import { add, remove } from './actions'

/** The tasks of the organization in which the member works. */
export default async function Tasks() {
  const { session, permissions } = await auth.requireCaller()
  const organization = session?.activeOrganizationId
  if (!organization) {
    return (
      <>
        <h1>Tasks</h1>
        <a href={await auth.pageUrl('organizations/new')}>Create an organization</a>
      </>
    )
  }
  const mayRemove = await permissions.has({ task: ['delete'] }, { organization: 'active' })
  return (
    <>
      <h1>Tasks</h1>
      <ul>
        {tasksOf(organization).map(({ id, title }) => (
          <li key={id}>
            {title}
            {mayRemove && (
              <form action={remove.bind(null, id)}>
                <button type="submit">Remove</button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <form action={add}>
        <input name="title" aria-label="Title" required maxLength={200} />
        <button type="submit">Add</button>
      </form>
      <a href={await auth.pageUrl('organization/members')}>Invite members</a>
    </>
  )
}
