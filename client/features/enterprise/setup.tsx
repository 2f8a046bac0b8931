import { ChevronLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { ConnectionSteps } from './connection.tsx'
import { Connections } from './connections.tsx'
import { Domains } from './domains.tsx'
import { type Manager, ManagerContext } from './manager.ts'
import { MappingPart } from './mapping.tsx'
import { ssoTexts } from './texts.ts'

const base = '/sso-setup'
const stored = 'sso-setup'
const refresh = () => refreshQueries('singleSignOnSetup')

/** The token in the fragment, which survives the way to the identity provider and back in this tab only. */
function takeToken(): string {
  const given = location.hash.slice(1)
  if (!given) return sessionStorage.getItem(stored) ?? ''
  sessionStorage.setItem(stored, given)
  return given
}

/** What the holder of a set-up link sees: connections and domains of one organization, without an account. */
export default function Setup() {
  const t = useTexts(ssoTexts)
  const core = useTexts()
  const [token, setToken] = useState(takeToken)
  useEffect(() => {
    const take = () => setToken(takeToken())
    // Not in the history of the browser.
    if (location.hash) history.replaceState(history.state, '', location.pathname + location.search)
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  const setup = useQuery(['singleSignOnSetup', token], () => auth.sso.setup.settings({ token }), token !== '')
  const { code } = setup.error ?? {}
  if (token === '' || code === 'SETUP_LINK_NOT_FOUND' || code === 'VALIDATION_ERROR') {
    return (
      <Sheet title={t.setupGone} intro={t.setupGoneIntro}>
        <ButtonLink to="/" look="primary" wide>
          {core.home}
        </ButtonLink>
      </Sheet>
    )
  }
  if (setup.error && !setup.data) {
    return (
      <Sheet title={t.title}>
        <ErrorPanel error={setup.error} errors={t.errors} onRetry={() => void setup.refetch()} />
      </Sheet>
    )
  }
  return setup.data ? <SetupPage token={token} data={setup.data} /> : <Skeleton lines={8} />
}

function SetupPage({ token, data }: { token: string; data: AnswerOf<'/sso/setup/settings'> }) {
  const t = useTexts(ssoTexts)
  const language = useLanguage()
  const connectionId = new URLSearchParams(useSearch()).get('connection')
  const pathOf = (id: string | null) => (id === null ? base : `${base}?connection=${encodeURIComponent(id)}`)
  const manager: Manager = {
    connections: data.connections,
    domains: data.domains,
    organizationId: null,
    mayChange: true,
    create: (input) => auth.sso.setup.createConnection({ token, ...input }),
    update: (changes) => auth.sso.setup.updateConnection({ token, ...changes }),
    readMetadata: (url) => auth.sso.setup.readMetadata({ token, url }),
    test: (id) => auth.sso.setup.testConnection({ token, connectionId: id, callbackURL: pathOf(id) }),
    addDomain: (domain) => auth.sso.setup.addDomain({ token, domain }),
    verifyDomain: (domainId) => auth.sso.setup.verifyDomain({ token, domainId }),
    pathOf,
    refresh,
  }
  const connection = data.connections.find(({ id }) => id === connectionId)
  const day = data.expiresAt.toLocaleDateString(language, { dateStyle: 'long' })
  return (
    <ManagerContext value={manager}>
      <div data-wide className="grid grid-cols-1 gap-6">
        {connection && (
          <nav aria-label={t.trail} className="-mb-4">
            <Link href={base} className="link inline-flex min-h-10 items-center gap-1">
              <ChevronLeft aria-hidden size={16} className="rtl:rotate-180" />
              {t.back}
            </Link>
          </nav>
        )}
        <Sheet
          key={connection?.id ?? ''}
          title={connection?.name ?? t.setupTitle(data.organization)}
          intro={!connection && t.setupIntro(day)}
        >
          {connection ? (
            <>
              <ConnectionSteps connection={connection} />
              <MappingPart connection={connection} />
            </>
          ) : (
            <>
              <Connections />
              <Domains />
            </>
          )}
        </Sheet>
      </div>
    </ManagerContext>
  )
}
