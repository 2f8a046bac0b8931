'use client'

import { useState } from 'react'
import { AuthField, AuthProblem } from '@/components/auth-field'
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
import { auth } from '@/lib/auth-client'
import { sentenceOf } from '@/lib/auth-errors'
import { useAuthForm } from '@/lib/use-auth-form'

export interface OrganizationSwitcherProps {
  /** False hides "Create an organization". */
  creatable?: boolean
  /** Runs after another organization became the active one. */
  onSwitch?(organizationId: string): void
}

export function OrganizationSwitcher({ creatable = true, onSwitch }: OrganizationSwitcherProps) {
  const { data: session, isPending: asks } = auth.useSession()
  const { data: organizations, isPending } = auth.useListOrganizations()
  const { data: active } = auth.useActiveOrganization()
  const [problem, setProblem] = useState<string>()
  const [creates, setCreates] = useState(false)
  if (asks || (session && isPending)) return <Skeleton className="h-9 w-40" />
  if (!session) return null

  async function open(organizationId: string) {
    setProblem(undefined)
    const { error } = await auth.organization.setActive({ organizationId })
    if (error) setProblem(sentenceOf(error))
    else onSwitch?.(organizationId)
  }
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger className={buttonVariants({ variant: 'outline', className: 'max-w-full' })}>
          <span className="sr-only">Organization: </span>
          <span className="truncate">{active?.name ?? 'No organization'}</span>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start" className="min-w-56">
          <DropdownMenuRadioGroup value={active?.id ?? ''} onValueChange={open}>
            {organizations?.map(({ id, name }) => (
              <DropdownMenuRadioItem key={id} value={id}>
                <span className="truncate">{name}</span>
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
          {creatable && (
            <>
              {organizations && organizations.length > 0 && <DropdownMenuSeparator />}
              <DropdownMenuItem onClick={() => setCreates(true)}>Create an organization</DropdownMenuItem>
            </>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {problem && (
        <p role="alert" className="text-destructive text-sm">
          {problem}
        </p>
      )}
      <Dialog open={creates} onOpenChange={setCreates}>
        <DialogContent>
          <DialogHeader>
            <DialogTitle>Create an organization</DialogTitle>
            <DialogDescription>You become its owner.</DialogDescription>
          </DialogHeader>
          <CreateForm
            done={(id) => {
              setCreates(false)
              onSwitch?.(id)
            }}
          />
        </DialogContent>
      </Dialog>
    </>
  )
}

/** The part of addresses that names an organization: `Ada & Söhne` is `ada-söhne`. */
const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64)

function CreateForm({ done }: { done(organizationId: string): void }) {
  const form = useAuthForm({
    check: ({ name = '' }) => ({ name: slugOf(name) ? undefined : 'Enter a name.' }),
    at: { ORGANIZATION_ALREADY_EXISTS: 'name' },
    async send({ name = '' }) {
      const { data, error } = await auth.organization.create({ name: name.trim(), slug: slugOf(name) })
      if (!error) done(data.id)
      return { error }
    },
  })
  return (
    <form {...form.props} className="grid gap-4">
      <AuthField {...form.field('name')} label="Name" autoComplete="organization" maxLength={128} />
      <AuthProblem>{form.problem}</AuthProblem>
      <Button type="submit" disabled={form.pending} aria-busy={form.pending}>
        Create
      </Button>
    </form>
  )
}
