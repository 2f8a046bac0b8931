/** Tasks by organization, in the memory of this process: put your database here. */
const tasks = new Map<string, Task[]>()

export interface Task {
  id: string
  title: string
}

export const tasksOf = (organizationId: string): Task[] => tasks.get(organizationId) ?? []

export function addTask(organizationId: string, title: string): void {
  const task = { id: crypto.randomUUID(), title: title.trim().slice(0, 200) }
  if (task.title) tasks.set(organizationId, [...tasksOf(organizationId), task].slice(-100))
}

export function removeTask(organizationId: string, id: string): void {
  tasks.set(
    organizationId,
    tasksOf(organizationId).filter((task) => task.id !== id),
  )
}
