import { Plus } from 'lucide-react'
import { useAddressed } from '../../lib/address.ts'
import { auth } from '../../lib/api.ts'
import type { ServerKey } from '../../lib/auth/endpoints.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { toldApart } from '../../lib/told-apart.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Cut, CutParts } from '../../ui/cut.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { CreateServerKey } from './create-server-key.tsx'
import { useKeyRights } from './rights.ts'
import { serverKeyTexts } from './texts.ts'

const refresh = () => refreshQueries('serverKeys', 'adminAudit')

export default function ServerKeys() {
  const t = useTexts(serverKeyTexts)
  const { may } = useKeyRights()
  const keys = useQuery(['serverKeys'], async () => {
    const { data, error } = await auth.admin.serverKeys()
    return error ? { data: null, error } : { data: data.keys, error: null }
  })
  const [creating, setCreating] = useAddressed('create')
  const create = may({ serverKey: ['create'] }) && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  return (
    <Page wide title={t.title} intro={t.intro} actions={keys.data && keys.data.length > 0 && create}>
      <Loaded of={keys} errors={t.errors} empty={<EmptyState action={create}>{t.empty}</EmptyState>}>
        {(list) => <Keys list={list} />}
      </Loaded>
      <CreateServerKey open={creating} created={() => void refresh()} onClose={() => setCreating(false)} />
    </Page>
  )
}

function Keys({ list }: { list: ServerKey[] }) {
  const t = useTexts(serverKeyTexts)
  const { may } = useKeyRights()
  const nameOf = toldApart(list, ({ name, start }) => ({ name, mark: t.startsWith(start) }))
  const columns: Column<ServerKey>[] = [
    { key: 'name', label: t.columns.name, lead: true, cell: (key) => <KeyName {...key} /> },
    { key: 'permissions', label: t.columns.permissions, cell: (key) => <Permissions {...key} /> },
    {
      key: 'used',
      label: t.columns.used,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time date={lastUsedAt} /> : t.never),
    },
    { key: 'expires', label: t.columns.expires, cell: (key) => <Expiry {...key} /> },
    {
      key: 'by',
      label: t.columns.by,
      cell: ({ createdBy }) => <Cut className="sm:max-w-40">{createdBy?.name ?? t.commandLine}</Cut>,
    },
    {
      key: 'actions',
      label: '',
      menu: true,
      align: 'end',
      cell: (key) => may({ serverKey: ['revoke'] }) && <Actions id={key.id} name={nameOf(key)} />,
    },
  ]
  return (
    <Section>
      <Table caption={t.title} columns={columns} rows={list} rowKey={({ id }) => id} />
    </Section>
  )
}

function KeyName({ name, start, addresses }: ServerKey) {
  const t = useTexts(serverKeyTexts)
  return (
    <span className="grid gap-0.5 text-start sm:min-w-36">
      <Cut className="font-medium sm:max-w-72">{name}</Cut>
      <CutParts
        parts={[t.startsWith(start), ...(addresses.length > 0 ? [t.onlyFrom(addresses.join(', '))] : [])]}
        className="text-soft sm:max-w-72"
      />
    </span>
  )
}

const Permissions = ({ permissions }: ServerKey) => (
  <span className="grid gap-0.5 text-start">
    {permissions.map((permission) => (
      <code key={permission} className="whitespace-nowrap">
        {permission}
      </code>
    ))}
  </span>
)

function Expiry({ expiresAt }: ServerKey) {
  const t = useTexts(serverKeyTexts)
  if (!expiresAt) return t.never
  return expiresAt.getTime() <= Date.now() ? <Badge tone="danger">{t.expired}</Badge> : <Day date={expiresAt} />
}

function Actions({ id, name }: Pick<ServerKey, 'id' | 'name'>) {
  const t = useTexts(serverKeyTexts)
  return (
    <ConfirmDestroy
      title={t.revokeQuestion(name)}
      action={t.revoke}
      errors={t.errors}
      send={() => auth.admin.revokeServerKey({ id })}
      done={() => {
        toast(t.revoked)
        void refresh()
      }}
      trigger={(ask) => (
        <Menu label={t.actionsFor(name)}>
          <MenuButton danger onClick={ask}>
            {t.revoke}
          </MenuButton>
        </Menu>
      )}
    >
      {t.revokeWhat}
    </ConfirmDestroy>
  )
}
