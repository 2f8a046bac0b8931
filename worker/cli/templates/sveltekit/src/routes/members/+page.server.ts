import { auth } from '../../auth.server'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { user } = await auth.requireCaller(event)
  return { name: user.name, signOutUrl: auth.signOutUrl(event) }
}
