import { createFileRoute } from '@tanstack/react-router'
import { requireMember } from '../caller'

export const Route = createFileRoute('/members')({
  beforeLoad: async ({ location }) => ({ member: await requireMember({ data: location.href }) }),
  component: function Members() {
    const { member } = Route.useRouteContext()
    return (
      <>
        <h1>Hello {member.name}</h1>
        <a href={member.signOutUrl}>Sign out</a>
      </>
    )
  },
})
