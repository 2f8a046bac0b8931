import { createServerFn } from '@tanstack/react-start'
import { auth } from './auth.server'

export const findMember = createServerFn().handler(async () => {
  const caller = await auth.findCaller()
  return caller && { name: caller.user.name }
})

/** @param data the path of the page, to return to after the sign-in */
export const requireMember = createServerFn()
  .validator((returnTo: string) => returnTo)
  .handler(async ({ data: returnTo }) => {
    const { user } = await auth.requireCaller({ returnTo })
    return { name: user.name, signOutUrl: auth.signOutUrl() }
  })
