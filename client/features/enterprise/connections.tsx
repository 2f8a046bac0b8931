import { Link } from 'wouter'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Badge } from '../../ui/small.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { type Connection, type SamlValues, useManager, valuesOf } from './manager.ts'
import { NewConnection } from './new-connection.tsx'
import { Part } from './parts.tsx'
import { TestBadge } from './test-result.tsx'
import { ssoTexts } from './texts.ts'

const tones = { draft: 'neutral', testing: 'accent', active: 'success', disabled: 'danger' } as const

export function Connections() {
  const t = useTexts(ssoTexts)
  const { connections, mayChange } = useManager()
  const none = connections.length === 0
  const create = mayChange && <NewConnection first={none} />
  return (
    <Part id="connections" title={t.connections} intro={t.connectionsIntro} action={!none && create}>
      {none ? (
        <EmptyState action={create}>{t.noConnections}</EmptyState>
      ) : (
        <ul className="grid gap-3">
          {connections.map((connection) => (
            <Row key={connection.id} connection={connection} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function Row({ connection }: { connection: Connection }) {
  const t = useTexts(ssoTexts)
  const { pathOf } = useManager()
  const { id, name, type, state, lastTest, draft } = connection
  return (
    <li className="grid gap-1.5 rounded border p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <Link href={pathOf(id)} className="link min-w-0 font-medium wrap-anywhere">
          {name}
        </Link>
        <span className="flex flex-wrap gap-2">
          <Badge tone={tones[state]}>{t.states[state]}</Badge>
          {draft && <Badge tone="warning">{t.hasDraft}</Badge>}
        </span>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <span>{type === 'saml' ? 'SAML 2.0' : 'OpenID Connect'}</span>
        <span>
          {t.testColumn}: <TestBadge lastTest={lastTest} />
        </span>
      </p>
      <Expiry connection={connection} />
    </li>
  )
}

const soon = 30 * 86_400_000

/** When the certificate of a SAML connection expires. */
function Expiry({ connection }: { connection: Connection }) {
  const t = useTexts(ssoTexts)
  const language = useLanguage()
  const { certificatesExpireAt } = valuesOf(connection) as SamlValues
  if (!certificatesExpireAt) return null
  const date = new Date(certificatesExpireAt)
  const left = date.getTime() - Date.now()
  const day = date.toLocaleDateString(language, { dateStyle: 'long' })
  return (
    <p className={left < soon ? 'text-sm text-danger' : 'text-sm text-soft'}>
      {left < 0 ? t.certificatesExpired(day) : t.certificatesExpire(day)}
    </p>
  )
}
