import { createFileRoute, useRouter } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { add, readBoard, remove } from '../board'

export const Route = createFileRoute('/tasks')({
  loader: () => readBoard(),
  component: Tasks,
})

function Tasks() {
  const { tasks, mayRemove, createUrl, membersUrl } = Route.useLoaderData()
  const router = useRouter()
  if (!tasks) {
    return (
      <>
        <h1>Tasks</h1>
        <a href={createUrl}>Create an organization</a>
      </>
    )
  }
  const addTitle = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    await add({ data: String(new FormData(form).get('title')) })
    form.reset()
    await router.invalidate()
  }
  return (
    <>
      <h1>Tasks</h1>
      <ul>
        {tasks.map(({ id, title }) => (
          <li key={id}>
            {title}
            {mayRemove && (
              <button type="button" onClick={() => remove({ data: id }).then(() => router.invalidate())}>
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      <form onSubmit={addTitle}>
        <input name="title" aria-label="Title" required maxLength={200} />
        <button type="submit">Add</button>
      </form>
      <a href={membersUrl}>Invite members</a>
    </>
  )
}
