import { type ReactNode, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useAddressed } from '../../lib/address.ts'
import { useForm } from '../../lib/form.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { CreateStream } from './create-stream.tsx'
import type { Created, Stream, StreamCalls } from './stream-calls.ts'
import { streamTexts } from './streams.texts.ts'

type Failure = NonNullable<Stream['lastFailure']>

const refresh = () => refreshQueries('auditStreams')

interface StreamsProps {
  of: StreamCalls
  mayChange: boolean
  /** Replaces the buttons of a reader who may not change streams. */
  whyNot?: ReactNode
}

/** The streams of an organization, or those of the deployment. */
export function Streams({ of, mayChange, whyNot }: StreamsProps) {
  const t = useTexts(streamTexts)
  const [creating, setCreating] = useAddressed('create')
  const [shown, setShown] = useState<Shown | null>(null)
  const streams = useQuery(['auditStreams', of.key], of.list)
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
            <StreamTable streams={list} of={of} mayChange={mayChange} />
          )
        }
      </Loaded>
      {!mayChange && whyNot}
      <CreateStream send={of.create} open={creating} created={finish} onClose={() => setCreating(false)} />
      <ShownOnce shown={shown} onClose={() => setShown(null)} />
    </Section>
  )
}

const addressOf = ({ sink }: Stream): string =>
  sink.type === 's3' ? `${sink.endpoint}/${sink.bucket}` : sink.type === 'datadog' ? sink.site : sink.url

function StreamTable({ streams, of, mayChange }: Pick<StreamsProps, 'of' | 'mayChange'> & { streams: Stream[] }) {
  const t = useTexts(streamTexts)
  const columns: (Column<Stream> | false)[] = [
    {
      key: 'name',
      label: t.name,
      lead: true,
      cell: (stream) => (
        <div className="grid gap-0.5">
          <span className="font-medium wrap-anywhere">
            <bdi>{stream.name}</bdi>
          </span>
          <span className="text-soft wrap-anywhere">
            {t.sinks[stream.sink.type]}
            <br />
            <bdi>{addressOf(stream)}</bdi>
          </span>
        </div>
      ),
    },
    { key: 'state', label: t.state, cell: (stream) => <State {...stream} /> },
    {
      key: 'waiting',
      label: t.waiting,
      cell: ({ waiting }) => <span className="whitespace-nowrap">{t.records(waiting)}</span>,
    },
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
      cell: (stream) => <Actions stream={stream} of={of} />,
    },
  ]
  return (
    <>
      <Table caption={t.title} columns={columns} rows={streams} rowKey={({ id }) => id} />
      {streams.map(
        ({ id, name, lastFailure }) =>
          lastFailure && (
            <Note key={id} tone="warning">
              <p className="font-medium wrap-anywhere">
                <bdi>{name}</bdi>
              </p>
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

/** A text in its own direction inside another (U+2068, U+2069). */
const isolated = (text: string) => `\u2068${text}\u2069`

function FailureText({ code, detail }: Failure) {
  const t = useTexts(streamTexts)
  return (
    <>
      <p>{t.failures[code] ?? code}</p>
      {detail && <p className="text-sm text-soft wrap-anywhere">{t.answered(isolated(detail))}</p>}
    </>
  )
}

function Actions({ stream, of }: { stream: Stream; of: StreamCalls }) {
  const t = useTexts(streamTexts)
  const { id: streamId, name, state, sink } = stream
  const [replacing, setReplacing] = useState(false)
  const [testing, setTesting] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const test = useAction(
    () => of.test(streamId),
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
    () => of.update({ streamId, state: state === 'active' ? 'paused' : 'active' }),
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
        send={() => of.delete(streamId)}
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
        <ReplaceSecret send={(secret) => of.update({ streamId, secret })} close={() => setReplacing(false)} />
      </Dialog>
      {change.error && <ErrorPanel error={change.error} errors={t.errors} />}
    </>
  )
}

interface ReplaceProps {
  send(secret: string): ReturnType<StreamCalls['update']>
  close(): void
}

function ReplaceSecret({ send, close }: ReplaceProps) {
  const t = useTexts(streamTexts)
  const form = useForm({
    fields: ['secret'],
    send: ({ secret }) => send(secret.trim()),
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
