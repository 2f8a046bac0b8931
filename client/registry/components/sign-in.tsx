'use client'

import { type MouseEvent, useState } from 'react'
import { AuthField, AuthProblem } from '@/components/auth-field'
import { Button } from '@/components/ui/button'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '@/components/ui/card'
import { accounts, auth, hostedPage } from '@/lib/auth-client'
import { type CallError, sentenceOf } from '@/lib/auth-errors'
import { emailProblem, useAuthForm } from '@/lib/use-auth-form'

export interface SignInProps {
  /** A path of this app for signed-in users. Do not pass one from the query of the page without a check. */
  callbackURL?: string
  /** The page with the sign-up form. */
  signUpURL?: string
  /** Configured providers by id, with their names: `{ github: 'GitHub' }`. */
  providers?: Record<string, string>
}

export function SignIn({ callbackURL = '/', signUpURL = '/sign-up', providers = {} }: SignInProps) {
  const form = useAuthForm({
    check: ({ email, password }) => ({
      email: emailProblem(email),
      password: password ? undefined : 'Enter your password.',
    }),
    async send({ email = '', password = '' }) {
      const { data, error } = await auth.signIn.email({ email: email.trim(), password })
      if (error) return { error }
      // With a second factor, the session follows on a page of the deployment.
      const challenged = data && 'twoFactorRedirect' in data && data.twoFactorRedirect
      location.assign(challenged ? hostedPage('/two-factor', callbackURL) : callbackURL)
      return { error: null }
    },
  })
  const email = form.field('email')

  return (
    <Card className="mx-auto w-full max-w-sm">
      <CardHeader>
        <CardTitle>
          <h1>Sign in</h1>
        </CardTitle>
        <CardDescription>
          No account yet?{' '}
          <a href={signUpURL} className="underline underline-offset-4">
            Create an account
          </a>
        </CardDescription>
      </CardHeader>
      <CardContent className="grid gap-6">
        <Providers providers={providers} callbackURL={callbackURL} />
        <form {...form.props} className="grid gap-4">
          <AuthField {...email} label="Email" type="email" autoComplete="username" />
          <AuthField {...form.field('password')} label="Password" type="password" autoComplete="current-password" />
          <AuthProblem>{form.problem}</AuthProblem>
          {form.failure?.code === 'EMAIL_NOT_VERIFIED' && <SendLink emailId={email.id} callbackURL={callbackURL} />}
          <Button type="submit" disabled={form.pending} aria-busy={form.pending}>
            {form.pending ? 'Signing in' : 'Sign in'}
          </Button>
        </form>
        <nav aria-label="More" className="flex flex-wrap justify-between gap-4 text-sm">
          <HostedLink path="/forgot-password" callbackURL={callbackURL}>
            Forgot your password?
          </HostedLink>
          <HostedLink path="/sign-in" callbackURL={callbackURL}>
            Other ways to sign in
          </HostedLink>
        </nav>
      </CardContent>
    </Card>
  )
}

/** Sends the link of the verification again. */
function SendLink({ emailId, callbackURL }: { emailId: string; callbackURL: string }) {
  const [state, setState] = useState<'idle' | 'pending' | 'sent' | CallError>('idle')
  async function send() {
    setState('pending')
    const email = (document.getElementById(emailId) as HTMLInputElement).value.trim()
    const target = new URL(callbackURL, location.href).href
    const { error } = await auth.sendVerificationEmail({ email, callbackURL: target })
    setState(error ?? 'sent')
  }
  if (state === 'sent') return <p role="status">We sent you a link. Open it to confirm your address.</p>
  return (
    <>
      {typeof state === 'object' && <AuthProblem>{sentenceOf(state)}</AuthProblem>}
      <Button type="button" variant="outline" disabled={state === 'pending'} onClick={send}>
        Send me a new link
      </Button>
    </>
  )
}

function Providers({ providers, callbackURL }: Required<Pick<SignInProps, 'providers' | 'callbackURL'>>) {
  const [problem, setProblem] = useState<string>()
  const entries = Object.entries(providers)
  if (entries.length === 0) return null
  async function open(provider: string) {
    setProblem(undefined)
    const target = new URL(callbackURL, location.href).href
    const { error } = await auth.signIn.social({ provider, callbackURL: target, errorCallbackURL: location.href })
    if (error) setProblem(sentenceOf(error))
  }
  return (
    <div className="grid gap-2">
      {entries.map(([id, name]) => (
        <Button key={id} type="button" variant="outline" onClick={() => open(id)}>
          Continue with {name}
        </Button>
      ))}
      <AuthProblem>{problem}</AuthProblem>
    </div>
  )
}

/** A page of the deployment. Its address contains that of this page, which only the browser knows. */
function HostedLink({ path, callbackURL, children }: { path: string; callbackURL: string; children: string }) {
  function complete({ currentTarget }: MouseEvent<HTMLAnchorElement>) {
    currentTarget.href = hostedPage(path, callbackURL)
  }
  return (
    <a href={accounts + path} onClick={complete} className="underline underline-offset-4">
      {children}
    </a>
  )
}
