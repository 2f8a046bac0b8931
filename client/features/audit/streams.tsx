import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/page.tsx'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { WhyNot } from '../organization/current.tsx'
import { type Created, CreateStream } from './create-stream.tsx'
import { AuditPage } from './frame.tsx'
import { streamTexts } from './streams.texts.ts'

type Stream = AnswerOf<'/organization/audit-streams'>['streams'][number]
type Failure = NonNullable<Stream['lastFailure']>

const refresh = () => refreshQueries('auditStreams')

/** The systems that get the audit log of the active organization. */
export default function AuditStreams() {
  return (
    <AuditPage>
      {({ organization, may }) => <Streams organizationId={organization.id} mayChange={may({ audit: ['update'] })} />}
    </AuditPage>
  )
}

interface Of {
  organizationId: string
  mayChange: boolean
}

function Streams({ organizationId, mayChange }: Of) {
  const t = useTexts(streamTexts)
  const [creating, setCreating] = useState(false)
  const [shown, setShown] = useState<Shown | null>(null)
  const streams = useQuery(['auditStreams', organizationId], () =>
    auth.organization.auditStreams({ query: { organizationId } }),
  )
  function finish({ name, secret }: Created) {
    setCreating(false)
    refresh()
    if (secret === null) return toast(t.created(name))
    const values = [{ label: t.secret, text: secret, copy: t.copySecret }]
    setShown({ title: t.signingTitle, intro: t.once, values, done: t.done })
  }
  const button = mayChange && <Button onClick={() => setCreating(true)}>{t.create}</Button>
  return (
    <Section title={t.title} intro={t.intro} action={(streams.data?.streams.length ?? 0) > 0 && button}>
      <Loaded of={streams} errors={t.errors}>
        {({ streams: list }) =>
          list.length === 0 ? (
            <EmptyState action={button}>{t.none}</EmptyState>
          ) : (
            <StreamTable streams={list} organizationId={organizationId} mayChange={mayChange} />
          )
        }
      </Loaded>
      {!mayChange && <WhyNot wanted={{ audit: ['update'] }} />}
      <CreateStream
        organizationId={organizationId}
        open={creating}
        created={finish}
        onClose={() => setCreating(false)}
      />
      <ShownOnce shown={shown} onClose={() => setShown(null)} />
    </Section>
  )
}

const addressOf = ({ sink }: Stream): string =>
  sink.type === 's3' ? `${sink.endpoint}/${sink.bucket}` : sink.type === 'datadog' ? sink.site : sink.url

function StreamTable({ streams, organizationId, mayChange }: Of & { streams: Stream[] }) {
  const t = useTexts(streamTexts)
  const columns: (Column<Stream> | false)[] = [
    {
      key: 'name',
      label: t.name,
      lead: true,
      cell: (stream) => (
        <div className="grid gap-0.5">
          <span className="font-medium wrap-anywhere">{stream.name}</span>
          <span className="text-soft wrap-anywhere">
            {t.sinks[stream.sink.type]}
            <br />
            <bdi>{addressOf(stream)}</bdi>
          </span>
        </div>
      ),
    },
    { key: 'state', label: t.state, cell: (stream) => <State {...stream} /> },
    { key: 'waiting', label: t.waiting, cell: ({ waiting }) => t.records(waiting) },
    {
      key: 'delivered',
      label: t.delivered,
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt ? <Time date={lastDeliveredAt} /> : t.never),
    },
    mayChange && {
      key: 'actions',
      label: '',
      menu: true,
      align: 'end',
      cell: (stream) => <Actions stream={stream} organizationId={organizationId} />,
    },
  ]
  return (
    <>
      <Table caption={t.title} columns={columns} rows={streams} rowKey={({ id }) => id} />
      {streams.map(
        ({ id, name, lastFailure }) =>
          lastFailure && (
            <Note key={id} tone="warning">
              <p className="font-medium wrap-anywhere">{name}</p>
              <FailureText {...lastFailure} />
            </Note>
          ),
      )}
    </>
  )
}

function State({ state, failingSince }: Stream) {
  const t = useTexts(streamTexts)
  if (state === 'paused') return <Badge tone="warning">{t.states.paused}</Badge>
  if (failingSince) return <Badge tone="danger">{t.states.failing}</Badge>
  return <Badge tone="success">{t.states.active}</Badge>
}

function FailureText({ code, detail }: Failure) {
  const t = useTexts(streamTexts)
  return (
    <>
      <p>{t.failures[code] ?? code}</p>
      {detail && <p className="text-sm text-soft wrap-anywhere">{t.answered(detail)}</p>}
    </>
  )
}

function Actions({ stream, organizationId }: { stream: Stream; organizationId: string }) {
  const t = useTexts(streamTexts)
  const { id: streamId, name, state, sink } = stream
  const of = { organizationId, streamId }
  const [replacing, setReplacing] = useState(false)
  const [testing, setTesting] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const test = useAction(
    () => auth.organization.testAuditStream(of),
    (answer) => {
      setTesting(answer.failure !== null)
      setFailure(answer.failure)
      if (!answer.failure) toast(t.tested)
    },
  )
  // The receiver has several seconds for its answer.
  const startTest = () => {
    setFailure(null)
    setTesting(true)
    test.run()
  }
  const change = useAction(
    () => auth.organization.updateAuditStream({ ...of, state: state === 'active' ? 'paused' : 'active' }),
    (answer) => {
      toast(answer.state === 'active' ? t.resumed(name) : t.paused(name))
      refresh()
    },
  )
  return (
    <>
      <ConfirmDestroy
        title={t.removeQuestion(name)}
        action={t.remove}
        errors={t.errors}
        send={() => auth.organization.deleteAuditStream(of)}
        done={() => {
          toast(t.removed)
          refresh()
        }}
        trigger={(ask) => (
          <Menu label={t.actionsFor(name)}>
            <MenuButton onClick={startTest}>{t.test}</MenuButton>
            <MenuButton onClick={change.run}>{state === 'active' ? t.pause : t.resume}</MenuButton>
            {sink.type !== 'http' && <MenuButton onClick={() => setReplacing(true)}>{t.replace}</MenuButton>}
            <MenuButton danger onClick={ask}>
              {t.remove}
            </MenuButton>
          </Menu>
        )}
      >
        {t.removeWhat}
      </ConfirmDestroy>
      <Dialog open={testing} title={t.test} onClose={() => setTesting(false)}>
        {test.busy && <p role="status">{t.testing}</p>}
        {failure && (
          <Note tone="danger" live>
            <FailureText {...failure} />
          </Note>
        )}
        {test.error && <ErrorPanel error={test.error} errors={t.errors} />}
      </Dialog>
      <Dialog open={replacing} title={t.replaceTitle(name)} onClose={() => setReplacing(false)}>
        <ReplaceSecret of={of} close={() => setReplacing(false)} />
      </Dialog>
      {change.error && <ErrorPanel error={change.error} errors={t.errors} />}
    </>
  )
}

function ReplaceSecret({ of, close }: { of: { organizationId: string; streamId: string }; close(): void }) {
  const t = useTexts(streamTexts)
  const form = useForm({
    fields: ['secret'],
    send: ({ secret }) => auth.organization.updateAuditStream({ ...of, secret: secret.trim() }),
    errors: t.errors,
    done: () => {
      toast(t.replaced)
      close()
      refresh()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('secret')} label={t.secret} type="password" required maxLength={1024} autoComplete="off" />
      <Submit form={form} onCancel={close}>
        {t.replace}
      </Submit>
    </form>
  )
}
