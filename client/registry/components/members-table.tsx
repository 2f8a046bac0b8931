'use client'

import { useState } from 'react'
import { AuthField, AuthProblem } from '@/components/auth-field'
import { Badge } from '@/components/ui/badge'
import { Button, buttonVariants } from '@/components/ui/button'
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from '@/components/ui/dialog'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, TableBody, TableCaption, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table'
import { auth } from '@/lib/auth-client'
import { type CallError, sentenceOf } from '@/lib/auth-errors'
import { emailProblem, useAuthForm } from '@/lib/use-auth-form'

/** The roles of the deployment's option `organization.roles`, with their names. */
const roles = { member: 'Member', admin: 'Administrator', owner: 'Owner' }
type Role = keyof typeof roles

/** The roles that can change members. */
const managing: string[] = ['admin', 'owner']

const rolesOf = (role: string) => role.split(',').map((one) => one.trim())
const nameOfRole = (role: string) => (role in roles ? roles[role as Role] : role)

interface Member {
  id: string
  userId: string
  role: string
  user: { name: string; email: string }
}

/** The members of the active organization. */
export function MembersTable() {
  const { data: session } = auth.useSession()
  const { data: organization, isPending, error, refetch } = auth.useActiveOrganization()
  const [problem, setProblem] = useState<string>()
  const [leaving, setLeaving] = useState<Member>()
  if (isPending) return <Skeleton className="h-40 w-full" />
  if (error) {
    return (
      <div role="alert" className="grid justify-items-start gap-2">
        <p>{sentenceOf(error)}</p>
        <Button variant="outline" onClick={() => refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (!organization) return <p>Choose an organization to see its members.</p>

  const members: Member[] = organization.members
  const own = members.find(({ userId }) => userId === session?.user.id)
  const manages = rolesOf(own?.role ?? '').some((role) => managing.includes(role))
  const show = ({ error }: { error: CallError | null }) => setProblem(error ? sentenceOf(error) : undefined)
  const changeRole = async (memberId: string, role: string) =>
    show(await auth.organization.updateMemberRole({ memberId, role: role as Role }))
  async function remove({ id }: Member) {
    setLeaving(undefined)
    show(await auth.organization.removeMember({ memberIdOrEmail: id }))
  }

  return (
    <div className="grid gap-4">
      {manages && <InviteForm key={organization.id} />}
      <AuthProblem>{problem}</AuthProblem>
      <Table>
        <TableCaption>Members of {organization.name}</TableCaption>
        <TableHeader>
          <TableRow>
            <TableHead scope="col">Name</TableHead>
            <TableHead scope="col">Role</TableHead>
            {manages && (
              <TableHead scope="col">
                <span className="sr-only">Actions</span>
              </TableHead>
            )}
          </TableRow>
        </TableHeader>
        <TableBody>
          {members.map((member) => (
            <TableRow key={member.id}>
              <TableCell>
                <span className="block font-medium">
                  {member.user.name} {member.id === own?.id && '(you)'}
                </span>
                <span className="block text-muted-foreground">{member.user.email}</span>
              </TableCell>
              <TableCell>
                {rolesOf(member.role).map((role) => (
                  <Badge key={role} variant="secondary">
                    {nameOfRole(role)}
                  </Badge>
                ))}
              </TableCell>
              {manages && (
                <TableCell className="text-end">
                  {member.id !== own?.id && (
                    <MemberMenu
                      member={member}
                      onRole={(role) => changeRole(member.id, role)}
                      onRemove={() => setLeaving(member)}
                    />
                  )}
                </TableCell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <Dialog open={leaving !== undefined} onOpenChange={(isOpen) => isOpen || setLeaving(undefined)}>
        {leaving && (
          <DialogContent>
            <DialogHeader>
              <DialogTitle>Remove {leaving.user.name}?</DialogTitle>
              <DialogDescription>
                {leaving.user.name} loses access to {organization.name} immediately.
              </DialogDescription>
            </DialogHeader>
            <Button variant="destructive" onClick={() => remove(leaving)}>
              Remove from the organization
            </Button>
          </DialogContent>
        )}
      </Dialog>
    </div>
  )
}

interface MemberMenuProps {
  member: Member
  onRole(role: string): void
  onRemove(): void
}

function MemberMenu({ member, onRole, onRemove }: MemberMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-label={`Change ${member.user.name}`}
        className={buttonVariants({ variant: 'outline', size: 'sm' })}
      >
        Change
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuRadioGroup value={member.role} onValueChange={onRole}>
          {Object.entries(roles).map(([role, name]) => (
            <DropdownMenuRadioItem key={role} value={role}>
              {name}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem onClick={onRemove}>Remove</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Invites a member. The role can be changed after the invitation is accepted. */
function InviteForm() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useAuthForm({
    check: ({ email }) => ({ email: emailProblem(email) }),
    at: {
      INVALID_EMAIL: 'email',
      USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'email',
      USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'email',
    },
    async send({ email = '' }) {
      setSentTo(undefined)
      const { error } = await auth.organization.inviteMember({ email: email.trim(), role: 'member' })
      return { error }
    },
    done: ({ email }) => setSentTo(email),
  })
  return (
    <form {...form.props} className="grid max-w-sm gap-2">
      <AuthField {...form.field('email')} label="Invite by email" type="email" autoComplete="off" />
      <AuthProblem>{form.problem}</AuthProblem>
      <Button type="submit" variant="outline" disabled={form.pending} aria-busy={form.pending}>
        Send an invitation
      </Button>
      {sentTo && <p role="status">We sent an invitation to {sentTo}.</p>}
    </form>
  )
}
