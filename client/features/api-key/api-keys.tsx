import { Plus } from 'lucide-react'
import { useState } from 'react'
import { mayDo } from '../../../worker/kit/permissions.ts'
import { inWords } from '../../../worker/kit/time.ts'
import { useAction } from '../../lib/action.ts'
import { useAddressed } from '../../lib/address.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { ApiKey } from '../../lib/auth/endpoints.ts'
import { inList } from '../../lib/in-list.ts'
import { refreshQueries, useActiveOrganization, useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { toldApart } from '../../lib/told-apart.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Cut, CutParts } from '../../ui/cut.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { useNotMine } from '../../ui/own-session.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { CreateKey } from './create-key.tsx'
import { apiKeyTexts } from './texts.ts'

const refresh = () => refreshQueries('apiKeys')

export default function ApiKeys() {
  const t = useTexts(apiKeyTexts)
  const why = useNotMine()
  if (!why) return <OwnKeys />
  return (
    <Page wide title={t.title} intro={t.intro}>
      <EmptyState>{why}</EmptyState>
    </Page>
  )
}

function OwnKeys() {
  const t = useTexts(apiKeyTexts)
  const [chosen, setChosen] = useState('')
  const organization = useManagedOrganization()
  const organizationId = organization?.id === chosen ? chosen : undefined
  const keys = useQuery(['apiKeys', organizationId ?? null], () => auth.apiKey.list({ query: { organizationId } }))
  const [creating, setCreating] = useAddressed('create')
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  const intro = organization && organizationId ? t.introOrganization(organization.name) : t.intro
  return (
    <Page wide title={t.title} intro={intro} actions={keys.data && keys.data.length > 0 && create}>
      {organization && (
        <SelectField
          label={t.whose}
          value={organizationId ?? ''}
          onChange={(event) => setChosen(event.target.value)}
          className="sm:max-w-xs"
        >
          <option value="">{t.yours}</option>
          <option value={organization.id}>{organization.name}</option>
        </SelectField>
      )}
      <Loaded of={keys} errors={t.errors} empty={<EmptyState action={create}>{t.empty}</EmptyState>}>
        {(list) => <Keys list={list} />}
      </Loaded>
      <CreateKey
        open={creating}
        organizationId={organizationId}
        created={() => void refresh()}
        onClose={() => setCreating(false)}
      />
    </Page>
  )
}

/** The active organization, if the user's role may read its keys. */
function useManagedOrganization() {
  const { user } = useMember()
  const { features, organization: rules } = useConfig()
  const { data } = useActiveOrganization()
  const me = data?.members.find(({ userId }) => userId === user.id)
  if (!features.organization || !data || !me || !rules) return null
  return mayDo(rules.roles, me.role, { apiKey: ['read'] }) ? { id: data.id, name: data.name } : null
}

function Keys({ list }: { list: ApiKey[] }) {
  const t = useTexts(apiKeyTexts)
  const mark = ({ start }: ApiKey) => start && t.startsWith(start)
  const nameOf = toldApart(list, (key) => ({
    name: key.name || mark(key) || t.unnamed,
    mark: key.name ? mark(key) : null,
  }))
  const columns: Column<ApiKey>[] = [
    { key: 'name', label: t.columns.name, lead: true, cell: (key) => <KeyName {...key} /> },
    { key: 'state', label: t.columns.state, cell: (key) => <State {...key} /> },
    { key: 'left', label: t.columns.left, align: 'end', cell: (key) => <UsesLeft {...key} /> },
    { key: 'used', label: t.columns.used, cell: ({ lastRequest }) => <Moment date={lastRequest} /> },
    {
      key: 'expires',
      label: t.columns.expires,
      cell: ({ expiresAt }) => (expiresAt ? <Day date={expiresAt} /> : t.never),
    },
    { key: 'actions', label: '', menu: true, align: 'end', cell: (key) => <Actions of={key} name={nameOf(key)} /> },
  ]
  return (
    <Section>
      <Table caption={t.title} columns={columns} rows={list} rowKey={({ id }) => id} />
    </Section>
  )
}

function KeyName(key: ApiKey) {
  const t = useTexts(apiKeyTexts)
  const language = useLanguage()
  const allowed = Object.entries(key.permissions ?? {}).map(
    ([resource, actions]) => `${resource}: ${inList(actions, language)}`,
  )
  const parts = [
    key.start && t.startsWith(key.start),
    key.userId !== null && `${t.access}: ${t.accessLevels[key.access]}`,
    allowed.length > 0 && `${t.permissions} ${allowed.join('; ')}`,
  ].filter((part) => typeof part === 'string')
  return (
    <span className="grid gap-0.5 text-start sm:min-w-36">
      <Cut className="font-medium sm:max-w-80">{key.name || t.unnamed}</Cut>
      <CutParts parts={parts} className="text-soft sm:max-w-80" />
    </span>
  )
}

function Moment({ date }: { date: Date | null }) {
  const t = useTexts(apiKeyTexts)
  return date ? <Time date={date} /> : t.never
}

function UsesLeft({ remaining, rateLimitEnabled, rateLimitMax, rateLimitTimeWindow }: ApiKey) {
  const t = useTexts(apiKeyTexts)
  const language = useLanguage()
  const isLimited = rateLimitEnabled && rateLimitMax && rateLimitTimeWindow
  const window = (rateLimitTimeWindow ?? 0) / 1000
  return (
    <span className="grid gap-0.5 tabular-nums">
      {remaining === null ? t.unlimited : remaining.toLocaleString(language)}
      {isLimited && (
        <span className="text-soft">{t.limit(rateLimitMax, t.per[window] ?? t.within(inWords(window, language)))}</span>
      )}
    </span>
  )
}

function State({ enabled, expiresAt }: ApiKey) {
  const t = useTexts(apiKeyTexts)
  if (expiresAt && expiresAt.getTime() <= Date.now()) return <Badge tone="danger">{t.states.expired}</Badge>
  return <Badge tone={enabled ? 'success' : 'neutral'}>{enabled ? t.states.on : t.states.off}</Badge>
}

function Actions({ of: key, name }: { of: ApiKey; name: string }) {
  const t = useTexts(apiKeyTexts)
  const turn = useAction(
    () => auth.apiKey.update({ keyId: key.id, enabled: !key.enabled }),
    ({ enabled }) => {
      toast(enabled ? t.turnedOn : t.turnedOff)
      void refresh()
    },
  )
  return (
    <span className="ms-auto grid justify-items-end gap-2">
      <ConfirmDestroy
        title={t.deleteQuestion(name)}
        action={t.delete}
        errors={t.errors}
        send={() => auth.apiKey.delete({ keyId: key.id })}
        done={() => {
          toast(t.deleted)
          void refresh()
        }}
        trigger={(ask) => (
          <Menu label={t.actionsFor(name)}>
            <MenuButton onClick={turn.run}>{key.enabled ? t.turnOff : t.turnOn}</MenuButton>
            <MenuButton danger onClick={ask}>
              {t.delete}
            </MenuButton>
          </Menu>
        )}
      >
        {t.deleteWhat}
      </ConfirmDestroy>
      {turn.error && <ErrorPanel error={turn.error} errors={t.errors} />}
    </span>
  )
}
