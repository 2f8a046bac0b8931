'use client'

import { useState } from 'react'
import { AuthField, AuthProblem } from '@/components/auth-field'
import { Button } from '@/components/ui/button'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '@/components/ui/card'
import { auth } from '@/lib/auth-client'
import { emailProblem, useAuthForm } from '@/lib/use-auth-form'

export interface SignUpProps {
  /** A path of this app for signed-in users. */
  callbackURL?: string
  /** The page with the sign-in form. */
  signInURL?: string
  /** The value of the deployment's option `emailAndPassword.minPasswordLength`. */
  minPasswordLength?: number
}

export function SignUp({ callbackURL = '/', signInURL = '/sign-in', minPasswordLength = 8 }: SignUpProps) {
  const [sentTo, setSentTo] = useState<string>()
  const hint = `At least ${minPasswordLength} characters`
  const form = useAuthForm({
    check: ({ name, email, password = '' }) => ({
      name: name?.trim() ? undefined : 'Enter your name.',
      email: emailProblem(email),
      password: [...password].length < minPasswordLength ? `Use at least ${minPasswordLength} characters.` : undefined,
    }),
    at: {
      DISPOSABLE_EMAIL: 'email',
      INVALID_EMAIL: 'email',
      PASSWORD_COMPROMISED: 'password',
      PASSWORD_TOO_COMMON: 'password',
      PASSWORD_TOO_LONG: 'password',
      PASSWORD_TOO_SHORT: 'password',
      USER_ALREADY_EXISTS: 'email',
    },
    async send({ name = '', email = '', password = '' }) {
      const target = new URL(callbackURL, location.href).href
      const account = { name: name.trim(), email: email.trim(), password, callbackURL: target }
      const { data, error } = await auth.signUp.email(account)
      if (error) return { error }
      // Without a session, the address must be confirmed first.
      if (data.token === null) setSentTo(account.email)
      else location.assign(callbackURL)
      return { error: null }
    },
  })

  if (sentTo) {
    return (
      <Card className="mx-auto w-full max-w-sm">
        <CardHeader>
          <CardTitle>
            <h1>Confirm your email address</h1>
          </CardTitle>
          <CardDescription role="status">We sent a link to {sentTo}. Open it to sign in.</CardDescription>
        </CardHeader>
      </Card>
    )
  }
  return (
    <Card className="mx-auto w-full max-w-sm">
      <CardHeader>
        <CardTitle>
          <h1>Create an account</h1>
        </CardTitle>
        <CardDescription>
          Already registered?{' '}
          <a href={signInURL} className="underline underline-offset-4">
            Sign in
          </a>
        </CardDescription>
      </CardHeader>
      <CardContent>
        <form {...form.props} className="grid gap-4">
          <AuthField {...form.field('name')} label="Name" autoComplete="name" />
          <AuthField {...form.field('email')} label="Email" type="email" autoComplete="username" />
          <AuthField
            {...form.field('password')}
            label="Password"
            type="password"
            autoComplete="new-password"
            hint={hint}
          />
          <AuthProblem>{form.problem}</AuthProblem>
          <Button type="submit" disabled={form.pending} aria-busy={form.pending}>
            {form.pending ? 'Creating the account' : 'Create account'}
          </Button>
        </form>
      </CardContent>
    </Card>
  )
}
