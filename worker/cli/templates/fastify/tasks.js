/** Tasks by organization, in the memory of this process: put your database here. */
const tasks = new Map()

export const tasksOf = (organizationId) => tasks.get(organizationId) ?? []

export function addTask(organizationId, title) {
  const task = { id: crypto.randomUUID(), title: title.trim().slice(0, 200) }
  if (task.title) tasks.set(organizationId, [...tasksOf(organizationId), task].slice(-100))
}

export function removeTask(organizationId, id) {
  tasks.set(
    organizationId,
    tasksOf(organizationId).filter((task) => task.id !== id),
  )
}
