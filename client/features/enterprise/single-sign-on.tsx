import { ChevronLeft } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { EmptyState, Loaded } from '../../ui/state.tsx'
import { type Current, WhyNot, WithOrganization } from '../organization/current.tsx'
import { ConnectionSteps } from './connection.tsx'
import { Connections } from './connections.tsx'
import { DirectorySection } from './directory.tsx'
import { Domains } from './domains.tsx'
import { type Manager, ManagerContext } from './manager.ts'
import { MappingPart } from './mapping.tsx'
import { Rules } from './rules.tsx'
import { SetupLinkSection } from './setup-link.tsx'
import { ssoTexts } from './texts.ts'

const base = '/organization/settings/single-sign-on'
const refresh = () => refreshQueries('singleSignOn')

/** The single sign-on of an organization, and one of its connections. */
export default function SingleSignOn() {
  const t = useTexts(ssoTexts)
  const { id } = useParams()
  return (
    <WithOrganization title={t.title} intro={id === undefined && t.intro}>
      {(current) => <SettingsPage key={current.organization.id} current={current} connectionId={id ?? null} />}
    </WithOrganization>
  )
}

function SettingsPage({ current, connectionId }: { current: Current; connectionId: string | null }) {
  const t = useTexts(ssoTexts)
  const { id: organizationId } = current.organization
  const mayRead = current.may({ singleSignOn: ['read'] })
  const settings = useQuery(
    ['singleSignOn', organizationId],
    () => auth.sso.settings({ query: { organizationId } }),
    mayRead,
  )
  const connection = settings.data?.connections.find(({ id }) => id === connectionId)
  const trail = connectionId !== null && (
    <nav aria-label={t.trail}>
      <Link href={base} className="link inline-flex min-h-10 items-center gap-1">
        <ChevronLeft aria-hidden size={16} className="rtl:rotate-180" />
        {t.back}
      </Link>
    </nav>
  )
  return (
    <Page title={connection?.name ?? t.title} intro={connectionId === null && t.intro} trail={trail}>
      {mayRead ? (
        <Loaded of={settings} errors={t.errors}>
          {(data) => <Settings current={current} data={data} connectionId={connectionId} />}
        </Loaded>
      ) : (
        <WhyNot wanted={{ singleSignOn: ['read'] }} />
      )}
    </Page>
  )
}

interface SettingsProps {
  current: Current
  data: AnswerOf<'/sso/settings'>
  connectionId: string | null
}

function Settings({ current, data, connectionId }: SettingsProps) {
  const t = useTexts(ssoTexts)
  const { features } = useConfig()
  const { id: organizationId } = current.organization
  const manager: Manager = {
    connections: data.connections,
    domains: data.domains,
    organizationId,
    mayChange: current.may({ singleSignOn: ['update'] }),
    create: (input) => auth.sso.createConnection({ organizationId, ...input }),
    update: (changes) => auth.sso.updateConnection({ organizationId, ...changes }),
    readMetadata: (url) => auth.sso.readMetadata({ organizationId, url }),
    test: (id) => auth.sso.testConnection({ organizationId, connectionId: id, callbackURL: `${base}/${id}` }),
    addDomain: (domain) => auth.sso.addDomain({ organizationId, domain }),
    verifyDomain: (domainId) => auth.sso.verifyDomain({ organizationId, domainId }),
    pathOf: (id) => (id === null ? base : `${base}/${id}`),
    refresh,
  }
  const connection = data.connections.find(({ id }) => id === connectionId)
  return (
    <ManagerContext value={manager}>
      {!manager.mayChange && <WhyNot wanted={{ singleSignOn: ['update'] }} />}
      {connectionId === null ? (
        <>
          {manager.mayChange && <SetupLinkSection organizationId={organizationId} link={data.setupLink} />}
          <Connections />
          <Domains />
          <Rules policy={data.policy} current={current} />
        </>
      ) : connection ? (
        <>
          <ConnectionSteps connection={connection} />
          {manager.mayChange && <MappingPart connection={connection} current={current} />}
          {features.directory && (
            <DirectorySection
              organizationId={organizationId}
              connectionId={connection.id}
              mayChange={manager.mayChange}
            />
          )}
        </>
      ) : (
        <EmptyState>{t.errors.SSO_CONNECTION_NOT_FOUND}</EmptyState>
      )}
    </ManagerContext>
  )
}
