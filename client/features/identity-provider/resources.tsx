import { Plus } from 'lucide-react'
import { useState } from 'react'
import { inWords } from '../../../worker/kit/time.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { administratorMay } from '../../lib/permissions.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ResourceForm } from './resource-form.tsx'
import { resourceTexts } from './resources.texts.ts'

type Overview = AnswerOf<'/admin/list-resources'>
type Resource = Overview['resources'][number]
type Service = Overview['services'][number]

const refresh = () => refreshQueries('resources', 'adminAudit')

/** The administrator's rights on registered resources. */
function useRights() {
  const roles = useConfig().admin?.roles ?? {}
  const role = useMember().user.role ?? ''
  return (action: string) => administratorMay(roles, role, { resource: [action] })
}

/** The resource servers and services, for administrators. */
export default function Resources() {
  const t = useTexts(resourceTexts)
  const may = useRights()
  const overview = useQuery(['resources'], () => auth.admin.listResources())
  /** `new`, or the resource that changes. */
  const [edited, setEdited] = useState<Resource | 'new' | null>(null)
  const changed = edited === 'new' ? null : edited
  const create = may('create') && (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  return (
    <Page title={t.title} intro={t.intro} actions={create}>
      <Loaded of={overview}>
        {({ resources, services }) => (
          <>
            <Section title={t.resources}>
              {resources.length === 0 ? (
                <p className="text-soft">{t.noResources}</p>
              ) : (
                <ResourceTable rows={resources} change={setEdited} />
              )}
            </Section>
            <Section title={t.services}>
              {services.length === 0 ? <p className="text-soft">{t.noServices}</p> : <ServiceTable rows={services} />}
            </Section>
          </>
        )}
      </Loaded>
      <Dialog
        open={edited !== null}
        title={changed ? t.changeTitle(changed.name ?? changed.identifier) : t.createTitle}
        onClose={() => setEdited(null)}
      >
        {edited !== null && (
          <ResourceForm
            resource={changed}
            done={(name) => {
              setEdited(null)
              toast(t.saved(name))
              void refresh()
            }}
            cancel={() => setEdited(null)}
          />
        )}
      </Dialog>
    </Page>
  )
}

function Actions({ resource, change }: { resource: Resource & { id: string }; change(resource: Resource): void }) {
  const t = useTexts(resourceTexts)
  const may = useRights()
  const { id, identifier } = resource
  const name = resource.name ?? identifier
  if (!may('update') && !may('delete')) return null
  return (
    <ConfirmDestroy
      title={t.deleteQuestion(name)}
      action={t.delete}
      errors={t.errors}
      send={() => auth.admin.deleteResource({ id })}
      done={() => {
        toast(t.deleted(name))
        void refresh()
      }}
      trigger={(ask) => (
        <Menu label={t.actionsFor(name)}>
          {may('update') && <MenuButton onClick={() => change(resource)}>{t.change}</MenuButton>}
          {may('delete') && (
            <MenuButton danger onClick={ask}>
              {t.delete}
            </MenuButton>
          )}
        </Menu>
      )}
    >
      {t.deleteWhat}
    </ConfirmDestroy>
  )
}

function ResourceTable({ rows, change }: { rows: Resource[]; change(resource: Resource): void }) {
  const t = useTexts(resourceTexts)
  const language = useLanguage()
  const columns: Column<Resource>[] = [
    {
      key: 'resource',
      label: t.resource,
      lead: true,
      cell: ({ id, name, identifier, introspectedBy }) => (
        <span className="grid gap-0.5 text-start">
          {name !== null && <span className="font-medium wrap-anywhere">{name}</span>}
          <span dir="ltr" className={name === null ? 'font-medium wrap-anywhere' : 'wrap-anywhere'}>
            {identifier}
          </span>
          {id === null && <span className="text-soft">{t.configured}</span>}
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
    {
      key: 'actions',
      label: '',
      menu: true,
      align: 'end',
      cell: (resource) =>
        resource.id !== null && <Actions resource={{ ...resource, id: resource.id }} change={change} />,
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
