import { Link } from 'react-router'
import { auth } from '../auth.server'
import type { Route } from './+types/home'

export async function loader(given: Route.LoaderArgs) {
  const caller = await auth.findCaller(given)
  return { name: caller?.user.name ?? null }
}

export default function Home({ loaderData: { name } }: Route.ComponentProps) {
  return (
    <>
      <h1>Product</h1>
      <p>{name === null ? 'This page is public.' : `You are signed in as ${name}.`}</p>
      <Link to="/members">Members</Link> <Link to="/tasks">Tasks</Link>
    </>
  )
}
