import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { refreshQueries } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Cut } from '../../ui/cut.tsx'
import { Field, machineText, SelectField } from '../../ui/field.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { threatTexts } from './threats.texts.ts'

type Block = AnswerOf<'/admin/threats'>['blocks'][number]

export const refreshThreats = () => refreshQueries('threats', 'adminAudit')

/** Roughly: the server decides. */
const looksLikeRange = (text: string) => /^[\da-f:.]+(\/\d+)?$/i.test(text)

/** The blocked networks. */
export function Blocks({ blocks, may }: { blocks: Block[]; may: boolean }) {
  const t = useTexts(threatTexts)
  const unblock = useAction(
    (id: string) => auth.admin.unblockNetwork({ id }),
    () => {
      toast(t.unblocked)
      void refreshThreats()
    },
  )
  const columns: (Column<Block> | false)[] = [
    {
      key: 'network',
      label: t.network,
      lead: true,
      cell: ({ network }) => <bdi className="font-medium wrap-anywhere sm:whitespace-nowrap">{network}</bdi>,
    },
    { key: 'by', label: t.by, cell: ({ createdBy }) => <Cut className="sm:max-w-56">{createdBy ?? '–'}</Cut> },
    { key: 'until', label: t.until, cell: ({ expiresAt }) => <Time date={expiresAt} /> },
    may && {
      key: 'unblock',
      label: '',
      align: 'end',
      menu: true,
      cell: ({ id, network }) => (
        <Button
          look="quiet"
          className="whitespace-nowrap"
          aria-label={t.unblockThis(network)}
          onClick={() => unblock.run(id)}
        >
          {t.unblock}
        </Button>
      ),
    },
  ]
  return (
    <>
      {unblock.error && <ErrorPanel error={unblock.error} errors={t.errors} />}
      <Table caption={t.blocks} columns={columns} rows={blocks} rowKey={({ id }) => id} readOnly={!may} />
    </>
  )
}

const durations = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 }

/** Blocks a network for a time. */
export function BlockForm({ network, close }: { network: string; close(): void }) {
  const t = useTexts(threatTexts)
  const form = useForm({
    fields: ['network', 'duration'],
    check: ({ network: given = '' }) => ({
      network: !(looksLikeRange(given.trim()) || /^AS\d+$/.test(given.trim())) && t.networkInvalid,
    }),
    send: ({ network: given = '', duration = 'day' }) =>
      auth.admin.blockNetwork({
        network: given.trim(),
        duration: durations[duration as keyof typeof durations],
      }),
    at: { BLOCK_CONTAINS_YOU: 'network' },
    errors: t.errors,
    done() {
      toast(t.blocked)
      void refreshThreats()
      close()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <p className="text-soft">{t.blocksIntro}</p>
      <Field
        {...machineText}
        {...form.field('network')}
        label={t.network}
        hint={t.networkHint}
        defaultValue={network}
        maxLength={64}
      />
      <SelectField name="duration" label={t.duration} defaultValue="day">
        {(['hour', 'day', 'week', 'month'] as const).map((one) => (
          <option key={one} value={one}>
            {t.durations[one]}
          </option>
        ))}
      </SelectField>
      <Submit form={form} look="destroy" onCancel={close}>
        {t.blockDo}
      </Submit>
    </form>
  )
}

/** Ends the sessions of a network. */
export function EndForm({ network, close }: { network: string; close(): void }) {
  const t = useTexts(threatTexts)
  const form = useForm({
    fields: ['network'],
    check: ({ network: given = '' }) => ({ network: !looksLikeRange(given.trim()) && t.rangeInvalid }),
    send: ({ network: given = '' }) => auth.admin.endNetworkSessions({ network: given.trim() }),
    errors: t.errors,
    done() {
      toast(t.endSessionsBegun)
      void refreshThreats()
      close()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <p className="text-soft">{t.endSessionsWhat}</p>
      <Field
        {...machineText}
        {...form.field('network')}
        label={t.network}
        hint={t.rangeHint}
        defaultValue={network}
        maxLength={64}
      />
      <Submit form={form} look="destroy" onCancel={close}>
        {t.endSessionsDo}
      </Submit>
    </form>
  )
}
