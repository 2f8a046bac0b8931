'use client'

import { useState } from 'react'
import { Avatar, AvatarFallback, AvatarImage } from '@/components/ui/avatar'
import { buttonVariants } from '@/components/ui/button'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { Skeleton } from '@/components/ui/skeleton'
import { auth, hostedPage } from '@/lib/auth-client'
import { sentenceOf } from '@/lib/auth-errors'

export interface UserButtonProps {
  /** The page with the sign-in form. */
  signInURL?: string
  /** A path of this app for visitors, after the sign-out. */
  signedOutURL?: string
}

export function UserButton({ signInURL = '/sign-in', signedOutURL = '/' }: UserButtonProps) {
  const { data, isPending } = auth.useSession()
  const [problem, setProblem] = useState<string>()
  if (isPending) return <Skeleton className="size-9 rounded-full" />
  if (!data) {
    return (
      <a href={signInURL} className={buttonVariants({ variant: 'outline' })}>
        Sign in
      </a>
    )
  }
  const { name, email, image } = data.user
  async function signOut() {
    const { error } = await auth.signOut()
    if (error) setProblem(sentenceOf(error))
    else location.assign(signedOutURL)
  }
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger
          aria-label={`Account of ${name || email}`}
          className={buttonVariants({ variant: 'ghost', size: 'icon', className: 'rounded-full' })}
        >
          <Avatar>
            {image && <AvatarImage src={image} alt="" />}
            <AvatarFallback>{(name || email).slice(0, 1).toUpperCase()}</AvatarFallback>
          </Avatar>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" className="min-w-56">
          <DropdownMenuGroup>
            <DropdownMenuLabel>
              <span className="block truncate">{name}</span>
              <span className="block truncate text-muted-foreground text-sm">{email}</span>
            </DropdownMenuLabel>
          </DropdownMenuGroup>
          <DropdownMenuSeparator />
          <DropdownMenuItem onClick={() => location.assign(hostedPage('/account/profile'))}>Account</DropdownMenuItem>
          <DropdownMenuItem onClick={signOut}>Sign out</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {problem && (
        <p role="alert" className="text-destructive text-sm">
          {problem}
        </p>
      )}
    </>
  )
}
