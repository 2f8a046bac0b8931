import { useCallback, useEffect, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf, Result } from '../../lib/auth/types.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { Avatar } from '../../ui/small.tsx'
import { ErrorPanel, Note, Skeleton } from '../../ui/state.tsx'
import { ScopeList } from './scope-list.tsx'
import { SignInFirst } from './sign-in-first.tsx'
import { identityProviderTexts } from './texts.ts'

type Asked = Extract<AnswerOf<'/oauth2/consent'>, { client: unknown }>

const consentCode = () => new URLSearchParams(location.search).get('consent_code') ?? undefined

/** An application asks a person: who it is, what it wants, and of whom. */
export default function Consent() {
  const session = auth.useSession()
  const [found, setFound] = useState<Result<Asked> | null>(null)
  const load = useCallback(() => {
    setFound(null)
    void auth.$fetch<Asked>('/oauth2/consent', { query: { consent_code: consentCode() } }).then(setFound)
  }, [])
  const person = session.data?.user.id
  useEffect(() => {
    if (person) load()
  }, [person, load])
  if (!session.data) return session.isPending || session.isRefetching ? <Skeleton lines={6} /> : <SignInFirst />
  if (!found) return <Skeleton lines={6} />
  if (!found.error) return <Question asked={found.data} />
  return found.error.status === 401 ? <Gone /> : <Failed error={found.error} onRetry={load} />
}

function Question({ asked }: { asked: Asked }) {
  const t = useTexts(identityProviderTexts)
  const { client, redirectHost, scopes, resource, user, switchAccountURL } = asked
  const answer = useAction(
    (accept: boolean) =>
      auth.$fetch<{ redirectURI: string }>('/oauth2/consent', { accept, consent_code: consentCode() }),
    ({ redirectURI }) => location.assign(redirectURI),
  )
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(redirectHost)
  return (
    <Sheet title={t.consentTitle(client.name)} intro={t.consentIntro(redirectHost)}>
      {client.documentHost && <Note>{t.documentHost(client.documentHost)}</Note>}
      {local && <Note>{t.loopback}</Note>}
      <section className="grid gap-3">
        <h2 className="font-medium">{t.wants}</h2>
        <ScopeList scopes={scopes} />
        {resource && <p className="text-soft wrap-anywhere">{t.forResource(resource)}</p>}
      </section>
      <section className="grid gap-3 rounded border bg-surface p-4">
        <h2 className="text-sm text-soft">{t.signedInAs}</h2>
        <div className="flex items-center gap-3">
          <Avatar name={user.name || user.email} image={user.image} />
          <p className="grid min-w-0">
            <span className="truncate font-medium">{user.name}</span>
            <span className="truncate text-soft">{user.email}</span>
          </p>
        </div>
        <a href={switchAccountURL} className="link justify-self-start">
          {t.switchAccount}
        </a>
      </section>
      {answer.error && <ErrorPanel error={answer.error} errors={t.errors} />}
      <div className="grid grid-cols-2 gap-3">
        <Button wide busy={answer.busy} onClick={() => answer.run(false)}>
          {t.deny}
        </Button>
        <Button wide busy={answer.busy} onClick={() => answer.run(true)}>
          {t.allow}
        </Button>
      </div>
      <Links client={client} />
    </Sheet>
  )
}

function Links({ client: { uri, policyUri, tosUri } }: Pick<Asked, 'client'>) {
  const t = useTexts(identityProviderTexts)
  const links = [
    [uri, t.website],
    [policyUri, t.privacy],
    [tosUri, t.terms],
  ] as const
  if (links.every(([address]) => !address)) return null
  return (
    <p className="flex flex-wrap justify-center gap-4 text-sm">
      {links.map(
        ([address, label]) =>
          address && (
            <a key={label} href={address} className="link" target="_blank" rel="noreferrer">
              {label}
            </a>
          ),
      )}
    </p>
  )
}

function Gone() {
  const t = useTexts(identityProviderTexts)
  return (
    <Sheet title={t.consentGone} intro={t.consentGoneIntro}>
      {null}
    </Sheet>
  )
}

function Failed({ error, onRetry }: { error: NonNullable<Result<Asked>['error']>; onRetry(): void }) {
  const { somethingWrong } = useTexts()
  return (
    <Sheet title={somethingWrong}>
      <ErrorPanel error={error} onRetry={onRetry} />
    </Sheet>
  )
}
