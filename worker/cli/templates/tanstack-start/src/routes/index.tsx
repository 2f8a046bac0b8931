import { createFileRoute, Link } from '@tanstack/react-router'
import { findMember } from '../caller'

export const Route = createFileRoute('/')({
  loader: () => findMember(),
  component: function Home() {
    const member = Route.useLoaderData()
    return (
      <>
        <h1>Product</h1>
        <p>{member ? `You are signed in as ${member.name}.` : 'This page is public.'}</p>
        <Link to="/members">Members</Link> <Link to="/tasks">Tasks</Link>
      </>
    )
  },
})
