import { inWords } from '../../../worker/kit/time.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { resourceTexts } from './resources.texts.ts'

type Overview = AnswerOf<'/admin/list-resources'>
type Resource = Overview['resources'][number]
type Service = Overview['services'][number]

/** The resource servers and services of the configuration, for administrators. */
export default function Resources() {
  const t = useTexts(resourceTexts)
  const overview = useQuery(['resources'], () => auth.admin.listResources())
  return (
    <Page title={t.title} intro={t.intro}>
      <Loaded of={overview}>
        {({ resources, services }) => (
          <>
            <Section title={t.resources}>
              {resources.length === 0 ? (
                <p className="text-soft">{t.noResources}</p>
              ) : (
                <ResourceTable rows={resources} />
              )}
            </Section>
            <Section title={t.services}>
              {services.length === 0 ? <p className="text-soft">{t.noServices}</p> : <ServiceTable rows={services} />}
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function ResourceTable({ rows }: { rows: Resource[] }) {
  const t = useTexts(resourceTexts)
  const language = useLanguage()
  const columns: Column<Resource>[] = [
    {
      key: 'resource',
      label: t.resource,
      lead: true,
      cell: ({ identifier, introspectedBy }) => (
        <span className="grid gap-0.5 text-start">
          <span dir="ltr" className="font-medium wrap-anywhere">
            {identifier}
          </span>
          {introspectedBy.length > 0 && (
            <span className="text-soft wrap-anywhere">{t.verifiedBy(introspectedBy.join(', '))}</span>
          )}
        </span>
      ),
    },
    { key: 'permissions', label: t.permissions, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    {
      key: 'tokens',
      label: t.tokens,
      cell: ({ tokenFormat, addsClaims }) => (
        <span className="grid gap-0.5">
          {t.formats[tokenFormat]}
          {addsClaims && <span className="text-soft">{t.withClaims}</span>}
        </span>
      ),
    },
    {
      key: 'lifetime',
      label: t.lifetime,
      cell: ({ accessTokenExpiresIn }) => inWords(accessTokenExpiresIn, language),
    },
  ]
  return <Table caption={t.resources} columns={columns} rows={rows} rowKey={({ identifier }) => identifier} />
}

function Scopes({ scopes }: Pick<Resource, 'scopes'>) {
  const t = useTexts(resourceTexts)
  const all = Object.entries(scopes)
  if (all.length === 0) return <span className="text-soft">{t.noPermissions}</span>
  return (
    <span className="grid gap-1 text-start">
      {all.map(([name, words]) => (
        <span key={name} className="wrap-anywhere">
          {words} <code dir="ltr">{name}</code>
        </span>
      ))}
    </span>
  )
}

function ServiceTable({ rows }: { rows: Service[] }) {
  const t = useTexts(resourceTexts)
  const language = useLanguage()
  const columns: Column<Service>[] = [
    {
      key: 'service',
      label: t.service,
      lead: true,
      cell: ({ name, clientId, disabled }) => (
        <span className="grid gap-0.5 text-start">
          <span className="font-medium wrap-anywhere">
            {name} {disabled && <Badge>{t.off}</Badge>}
          </span>
          {name !== clientId && (
            <code dir="ltr" className="wrap-anywhere">
              {clientId}
            </code>
          )}
        </span>
      ),
    },
    {
      key: 'may',
      label: t.may,
      cell: ({ access }) => (
        <span className="grid gap-1 text-start">
          {Object.entries(access).map(([resource, scopes]) => (
            <span key={resource} className="wrap-anywhere">
              <code dir="ltr">{scopes.join(', ')}</code> <span className="text-soft">({resource})</span>
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'credential',
      label: t.credential,
      cell: ({ credential, issuers, requireDPoP }) => (
        <span className="grid gap-0.5 text-start">
          {t.credentials[credential]}
          {issuers.map((issuer) => (
            <span key={issuer} dir="ltr" className="text-soft wrap-anywhere">
              {issuer}
            </span>
          ))}
          {requireDPoP && <span className="text-soft">{t.withProof}</span>}
        </span>
      ),
    },
    {
      key: 'limit',
      label: t.limit,
      cell: ({ limit: { max, window } }) => t.limitOf(max.toLocaleString(language), inWords(window, language)),
    },
  ]
  return <Table caption={t.services} columns={columns} rows={rows} rowKey={({ clientId }) => clientId} />
}
