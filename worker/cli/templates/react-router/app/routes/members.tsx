import { auth } from '../auth.server'
import type { Route } from './+types/members'

export const middleware: Route.MiddlewareFunction[] = [auth.protect()]

export async function loader(given: Route.LoaderArgs) {
  const { user } = await auth.requireCaller(given)
  return { name: user.name, signOutUrl: auth.signOutUrl(given.request) }
}

export default function Members({ loaderData: { name, signOutUrl } }: Route.ComponentProps) {
  return (
    <>
      <h1>Hello {name}</h1>
      <a href={signOutUrl}>Sign out</a>
    </>
  )
}
