import { inWords } from '../../../worker/kit/time.ts'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useLoad } from '../../lib/auth/use-view.ts'
import { leave } from '../../lib/leave.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Sheet } from '../../ui/page.tsx'
import { Note, Skeleton } from '../../ui/state.tsx'
import { Unavailable } from '../../ui/unavailable.tsx'
import { AccountCard } from './account-card.tsx'
import { ClientMark } from './client-mark.tsx'
import { Decision, ScopeList } from './scope-list.tsx'
import { SignInFirst } from './sign-in-first.tsx'
import { identityProviderTexts } from './texts.ts'

type Asked = Extract<AnswerOf<'/oauth2/consent'>, { client: unknown }> & {
  /** The client is not configured: its name is unverified. */
  client: { selfRegistered?: boolean }
  /** How long (s) the client keeps access without a new consent. */
  accessExpiresIn?: number
}

const consentCode = () => new URLSearchParams(location.search).get('consent_code') ?? undefined

export default function Consent() {
  const session = auth.useSession()
  if (session.data) return <Asking key={session.data.user.id} />
  return session.isPending || session.isRefetching ? <Skeleton lines={6} /> : <SignInFirst />
}

function Asking() {
  const t = useTexts(identityProviderTexts)
  const { data, error, refetch } = useLoad(() =>
    auth.$fetch<Asked>('/oauth2/consent', { query: { consent_code: consentCode() } }),
  )
  if (data) return <Question asked={data} />
  if (!error) return <Skeleton lines={6} />
  if (error.status === 401) return <Sheet title={t.consentGone} intro={t.consentGoneIntro} />
  return <Unavailable error={error} onRetry={() => void refetch()} />
}

function Question({ asked }: { asked: Asked }) {
  const t = useTexts(identityProviderTexts)
  const {
    authorizationDetails,
    client,
    redirectHost,
    scopes,
    scopeWords,
    resource,
    organizations,
    user,
    switchAccountURL,
    accessExpiresIn,
  } = asked
  const language = useLanguage()
  const answer = useAction(
    (accept: boolean) =>
      auth.$fetch<{ redirectURI: string }>('/oauth2/consent', { accept, consent_code: consentCode() }),
    ({ redirectURI }) => leave(redirectURI),
  )
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(redirectHost)
  return (
    <Sheet
      above={<ClientMark client={client} />}
      title={t.consentTitle(client.name)}
      intro={t.consentIntro(redirectHost)}
    >
      {client.documentHost ? (
        <Note>{t.documentHost(client.documentHost)}</Note>
      ) : (
        client.selfRegistered && <Note tone="warning">{t.selfRegistered}</Note>
      )}
      {local && <Note>{t.loopback}</Note>}
      <section className="grid gap-3">
        <h2 className="font-medium">{t.wants}</h2>
        <ScopeList scopes={scopes} words={scopeWords} details={authorizationDetails} />
        {resource && <p className="text-soft wrap-anywhere">{t.forResource(resource.replaceAll(' ', ', '))}</p>}
        {organizations.length > 0 && (
          <p className="text-soft wrap-anywhere">
            {t.describedBy(new Intl.ListFormat(language).format(organizations))}
          </p>
        )}
        {accessExpiresIn !== undefined && (
          <p className="text-soft">
            {scopes.includes('offline_access')
              ? t.renewedFor(inWords(accessExpiresIn, language))
              : t.lasts(inWords(accessExpiresIn, language))}
          </p>
        )}
      </section>
      <AccountCard user={user}>
        <a href={switchAccountURL} className="link justify-self-start">
          {t.otherAccount}
        </a>
      </AccountCard>
      <Decision answer={answer} accept={t.allow} />
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
