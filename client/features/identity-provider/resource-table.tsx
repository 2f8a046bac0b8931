import { inWords } from '../../../worker/kit/time.ts'
import type { Result } from '../../lib/auth/types.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { Resource } from './resource-form.tsx'
import { resourceTexts } from './resources.texts.ts'

/** What the user of a page may do with a resource: the calls differ, the table does not. */
export interface ResourceCalls {
  /** Opens the form. */
  change(resource: Resource): void
  delete(id: string): Promise<Result<unknown>>
  changed(): void
  mayChange(resource: Resource): boolean
  mayDelete: boolean
  /** Whether the table names the organizations of resources. */
  ofAll: boolean
}

function Actions({ resource, calls }: { resource: Resource & { id: string }; calls: ResourceCalls }) {
  const t = useTexts(resourceTexts)
  const { id, identifier } = resource
  const name = resource.name ?? identifier
  const mayChange = calls.mayChange(resource)
  if (!mayChange && !calls.mayDelete) return null
  return (
    <ConfirmDestroy
      title={t.deleteQuestion(name)}
      action={t.delete}
      errors={t.errors}
      send={() => calls.delete(id)}
      done={() => {
        toast(t.deleted(name))
        calls.changed()
      }}
      trigger={(ask) => (
        <Menu label={t.actionsFor(name)}>
          {mayChange && <MenuButton onClick={() => calls.change(resource)}>{t.change}</MenuButton>}
          {calls.mayDelete && (
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

export function ResourceTable({ rows, calls }: { rows: Resource[]; calls: ResourceCalls }) {
  const t = useTexts(resourceTexts)
  const language = useLanguage()
  const columns: Column<Resource>[] = [
    {
      key: 'resource',
      label: t.resource,
      lead: true,
      cell: ({ id, name, identifier, organization, introspectedBy }) => (
        <span className="grid gap-0.5 text-start">
          {name !== null && <span className="font-medium wrap-anywhere">{name}</span>}
          <span className={name === null ? 'font-medium wrap-anywhere' : 'wrap-anywhere'}>
            <bdi dir="ltr">{identifier}</bdi>
          </span>
          {id === null && <span className="text-soft">{t.configured}</span>}
          {calls.ofAll && organization && (
            <span className="text-soft wrap-anywhere">{t.ofOrganization(organization.name)}</span>
          )}
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
      cell: ({ tokenFormat, addsClaims, claims }) => (
        <span className="grid gap-0.5">
          {t.formats[tokenFormat]}
          {addsClaims && <span className="text-soft">{t.withClaims}</span>}
          {tokenFormat === 'jwt' && claims.length > 0 && (
            <span dir="ltr" className="text-soft wrap-anywhere">
              {claims.join(', ')}
            </span>
          )}
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
      cell: (resource) => resource.id !== null && <Actions resource={{ ...resource, id: resource.id }} calls={calls} />,
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
          <bdi>{words}</bdi> <code dir="ltr">{name}</code>
        </span>
      ))}
    </span>
  )
}
