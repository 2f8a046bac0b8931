'use server'

import { revalidatePath } from 'next/cache'
import { auth } from '../../auth'
import { addTask, removeTask } from '../../tasks'

/** @returns the organization in which the member may do it */
async function organizationFor(action: 'create' | 'delete'): Promise<string> {
  const { session } = await auth.requireCaller({ permissions: { task: [action] }, organization: 'active' })
  return session!.activeOrganizationId!
}

export async function add(form: FormData) {
  addTask(await organizationFor('create'), String(form.get('title') ?? ''))
  revalidatePath('/tasks')
}

export async function remove(id: string) {
  removeTask(await organizationFor('delete'), id)
  revalidatePath('/tasks')
}
