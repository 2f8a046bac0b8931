import Link from 'next/link'
import { auth } from '../auth'

export default async function Home() {
  const caller = await auth.findCaller()
  return (
    <>
      <h1>Product</h1>
      <p>{caller ? `You are signed in as ${caller.user.name}.` : 'This page is public.'}</p>
      <Link href="/members" prefetch={false}>
        Members
      </Link>{' '}
      <Link href="/tasks" prefetch={false}>
        Tasks
      </Link>
    </>
  )
}
