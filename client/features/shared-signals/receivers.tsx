import { Plus } from 'lucide-react'
import type { Permissions } from '../../../worker/kit/permissions.ts'
import { useAction } from '../../lib/action.ts'
import { useAddressed } from '../../lib/address.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { SignalReceiver } from '../../lib/auth/endpoints.ts'
import { administratorMay } from '../../lib/permissions.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton, MenuLine } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { CreateReceiver } from './create-receiver.tsx'
import { receiverTexts } from './texts.ts'

const refresh = () => refreshQueries('signalReceivers', 'adminAudit')

/** What the administrator may do: the screen hides what the server would reject. */
function useMay() {
  const roles = useConfig().admin?.roles ?? {}
  const { user } = useMember()
  return (wanted: Permissions) => administratorMay(roles, user.role ?? '', wanted)
}

export default function Receivers() {
  const t = useTexts(receiverTexts)
  const may = useMay()
  const receivers = useQuery(['signalReceivers'], async () => {
    const { data, error } = await auth.admin.signalReceivers()
    return error ? { data: null, error } : { data: data.receivers, error: null }
  })
  const [creating, setCreating] = useAddressed('create')
  const create = may({ signalReceiver: ['create'] }) && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  return (
    <Page wide title={t.title} intro={t.intro} actions={receivers.data && receivers.data.length > 0 && create}>
      <Loaded of={receivers} errors={t.errors} empty={<EmptyState action={create}>{t.empty}</EmptyState>}>
        {(list) => <List list={list} />}
      </Loaded>
      <CreateReceiver open={creating} created={() => void refresh()} onClose={() => setCreating(false)} />
    </Page>
  )
}

function List({ list }: { list: SignalReceiver[] }) {
  const t = useTexts(receiverTexts)
  const verify = useAction(
    (id: string) => auth.admin.verifySignalReceiver({ id }),
    () => {
      toast(t.verified)
      void refresh()
    },
  )
  const turn = useAction(
    (id: string, status: 'enabled' | 'paused') => auth.admin.setSignalReceiverStatus({ id, status }),
    (_answer, _id, status) => {
      toast(status === 'paused' ? t.paused : t.enabled)
      void refresh()
    },
  )
  const error = verify.error ?? turn.error
  const columns: Column<SignalReceiver>[] = [
    { key: 'name', label: t.columns.name, lead: true, cell: (receiver) => <Name {...receiver} /> },
    { key: 'events', label: t.columns.events, cell: (receiver) => <Events {...receiver} /> },
    { key: 'delivery', label: t.columns.delivery, cell: (receiver) => <Delivery {...receiver} /> },
    { key: 'status', label: t.columns.status, cell: (receiver) => <Status {...receiver} /> },
    {
      key: 'actions',
      label: '',
      menu: true,
      align: 'end',
      cell: (receiver) => (
        <Actions
          {...receiver}
          verify={() => {
            turn.reset()
            verify.run(receiver.id)
          }}
          turn={(status) => {
            verify.reset()
            turn.run(receiver.id, status)
          }}
        />
      ),
    },
  ]
  return (
    <Section>
      {error && <ErrorPanel error={error} errors={t.errors} />}
      <Table caption={t.title} columns={columns} rows={list} rowKey={({ id }) => id} />
    </Section>
  )
}

const Name = ({ name, audience }: SignalReceiver) => (
  <span className="grid gap-0.5 text-start sm:min-w-36">
    <span className="font-medium wrap-anywhere">{name}</span>
    <span className="text-soft wrap-anywhere">
      <bdi>{audience}</bdi>
    </span>
  </span>
)

function Events({ events }: SignalReceiver) {
  const t = useTexts(receiverTexts)
  return (
    <span className="grid gap-0.5 text-start sm:min-w-44">
      {events.map((type) => (
        <span key={type}>{t.events[type]}</span>
      ))}
    </span>
  )
}

function Delivery({ url, waiting }: SignalReceiver) {
  const t = useTexts(receiverTexts)
  if (url !== null) return <span className="wrap-anywhere">{t.push(new URL(url).host)}</span>
  return (
    <span className="grid gap-0.5 text-start">
      <span>{t.poll}</span>
      <span className="text-soft">{t.waiting(waiting)}</span>
    </span>
  )
}

function Status({ status, reason }: SignalReceiver) {
  const t = useTexts(receiverTexts)
  return (
    <span className="grid justify-items-start gap-1 text-start">
      {status === 'enabled' ? t.status[status] : <Badge>{t.status[status]}</Badge>}
      {reason && <span className="text-soft wrap-anywhere">{t.reason(reason)}</span>}
    </span>
  )
}

interface ActionsProps extends SignalReceiver {
  verify(): void
  turn(status: 'enabled' | 'paused'): void
}

function Actions({ id, name, status, verify, turn }: ActionsProps) {
  const t = useTexts(receiverTexts)
  const may = useMay()
  const [mayUpdate, mayDelete] = [may({ signalReceiver: ['update'] }), may({ signalReceiver: ['delete'] })]
  if (!mayUpdate && !mayDelete) return null
  const isPaused = status !== 'enabled'
  return (
    <ConfirmDestroy
      title={t.deleteQuestion(name)}
      action={t.delete}
      errors={t.errors}
      send={() => auth.admin.deleteSignalReceiver({ id })}
      done={() => {
        toast(t.deleted)
        void refresh()
      }}
      trigger={(ask) => (
        <Menu label={t.actionsFor(name)}>
          {mayUpdate && (
            <>
              <MenuButton onClick={verify}>{t.verify}</MenuButton>
              <MenuButton onClick={() => turn(isPaused ? 'enabled' : 'paused')}>
                {isPaused ? t.enable : t.pause}
              </MenuButton>
              {mayDelete && <MenuLine />}
            </>
          )}
          {mayDelete && (
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
