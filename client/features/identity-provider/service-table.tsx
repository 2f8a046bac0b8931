import { useState } from 'react'
import { inWords } from '../../../worker/kit/time.ts'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { CreateDialog } from '../../ui/shown-once.tsx'
import { Badge } from '../../ui/small.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AccessList } from './access-list.tsx'
import { agentTexts } from './agents.texts.ts'
import type { Resource } from './resource-form.tsx'
import { resourceTexts } from './resources.texts.ts'
import { type Service, ServiceForm, useShownSecret } from './service-form.tsx'
import { serviceTexts } from './services.texts.ts'

interface ServiceTableProps {
  rows: Service[]
  resources: Resource[]
  mayChange: boolean
  mayDelete: boolean
  changed(): void
}

export function ServiceTable(props: ServiceTableProps) {
  const { rows, resources, changed } = props
  const t = useTexts(resourceTexts)
  const s = useTexts(serviceTexts)
  const a = useTexts(agentTexts)
  const language = useLanguage()
  const [edited, setEdited] = useState<Service | null>(null)
  const [rotated, setRotated] = useState<Service | null>(null)
  const columns: Column<Service>[] = [
    { key: 'service', label: t.service, lead: true, cell: (service) => <ServiceName {...service} /> },
    { key: 'may', label: t.may, cell: ({ access }) => <AccessList access={access} /> },
    { key: 'credential', label: t.credential, cell: (service) => <Credential {...service} /> },
    {
      key: 'limit',
      label: t.limit,
      cell: ({ limit: { max, window } }) => t.limitOf(max.toLocaleString(language), inWords(window, language)),
    },
    { key: 'expires', label: a.lifetime, cell: ({ expiresAt }) => (expiresAt ? <Day date={expiresAt} /> : s.never) },
    {
      key: 'actions',
      label: '',
      menu: true,
      align: 'end',
      cell: (service) =>
        service.registered && <Actions {...props} service={service} change={setEdited} rotate={setRotated} />,
    },
  ]
  return (
    <>
      <Table caption={t.services} columns={columns} rows={rows} rowKey={({ clientId }) => clientId} />
      <Dialog open={edited !== null} title={t.changeTitle(edited?.name ?? '')} onClose={() => setEdited(null)}>
        {edited && (
          <ServiceForm
            service={edited}
            resources={resources}
            saved={({ name }) => {
              setEdited(null)
              toast(t.saved(name))
              changed()
            }}
            cancel={() => setEdited(null)}
          />
        )}
      </Dialog>
      <RotateSecret service={rotated} changed={changed} onClose={() => setRotated(null)} />
    </>
  )
}

function ServiceName({ name, clientId, state, registered }: Service) {
  const t = useTexts(resourceTexts)
  const { states } = useTexts(agentTexts)
  return (
    <span className="grid gap-0.5 text-start">
      <span className="font-medium wrap-anywhere">
        {name} {state !== 'active' && <Badge>{states[state]}</Badge>}
      </span>
      {name !== clientId && (
        <code dir="ltr" className="wrap-anywhere">
          {clientId}
        </code>
      )}
      {!registered && <span className="text-soft">{t.configured}</span>}
    </span>
  )
}

function Credential({ credential, issuers, requireDPoP, previousSecretEndsAt }: Service) {
  const t = useTexts(resourceTexts)
  const s = useTexts(serviceTexts)
  return (
    <span className="grid gap-0.5">
      {t.credentials[credential]}
      {issuers.map((issuer) => (
        <span key={issuer} dir="ltr" className="text-soft wrap-anywhere">
          {issuer}
        </span>
      ))}
      {requireDPoP && <span className="text-soft">{t.withProof}</span>}
      {previousSecretEndsAt && (
        <span className="text-soft">
          {s.previousEnds} <Time date={previousSecretEndsAt} />
        </span>
      )}
    </span>
  )
}

interface ActionsProps extends ServiceTableProps {
  service: Service
  change(service: Service): void
  rotate(service: Service): void
}

function Actions({ service, mayChange, mayDelete, changed, change, rotate }: ActionsProps) {
  const t = useTexts(resourceTexts)
  const s = useTexts(serviceTexts)
  const a = useTexts(agentTexts)
  const { clientId, name, state, credential } = service
  if (!mayChange && !mayDelete) return null
  const next = state === 'paused' ? 'active' : 'paused'
  const setState = async () => {
    const { error } = await auth.admin.updateService({ clientId, state: next })
    if (!error) toast(next === 'paused' ? a.paused(name) : a.resumed(name))
    changed()
  }
  return (
    <ConfirmDestroy
      title={t.deleteQuestion(name)}
      action={t.delete}
      errors={s.errors}
      send={() => auth.admin.deleteService({ clientId })}
      done={() => {
        toast(t.deleted(name))
        changed()
      }}
      trigger={(ask) => (
        <Menu label={t.actionsFor(name)}>
          {mayChange && <MenuButton onClick={() => change(service)}>{t.change}</MenuButton>}
          {mayChange && credential === 'secret' && <MenuButton onClick={() => rotate(service)}>{s.rotate}</MenuButton>}
          {mayChange && state !== 'expired' && (
            <MenuButton onClick={() => void setState()}>{state === 'paused' ? a.resume : a.pause}</MenuButton>
          )}
          {mayDelete && (
            <MenuButton danger onClick={ask}>
              {t.delete}
            </MenuButton>
          )}
        </Menu>
      )}
    >
      {s.deleteWhat}
    </ConfirmDestroy>
  )
}

/** Seconds. */
const overlaps = [86_400, 3600, 604_800]

interface RotateProps {
  service: Service | null
  changed(): void
  onClose(): void
}

/** Another secret, which is shown once. */
function RotateSecret({ service, changed, onClose }: RotateProps) {
  const s = useTexts(serviceTexts)
  const shown = useShownSecret()
  return (
    <CreateDialog
      open={service !== null}
      title={s.rotateTitle(service?.name ?? '')}
      form={(done: (answer: { service: Service; clientSecret: string }) => void, cancel) =>
        service && <RotateForm clientId={service.clientId} done={done} cancel={cancel} />
      }
      shownOf={(answer: { service: Service; clientSecret: string }) => shown(answer.service, answer.clientSecret)}
      created={changed}
      onClose={onClose}
    />
  )
}

interface RotateFormProps {
  clientId: string
  done(answer: { service: Service; clientSecret: string }): void
  cancel(): void
}

function RotateForm({ clientId, done, cancel }: RotateFormProps) {
  const s = useTexts(serviceTexts)
  const language = useLanguage()
  const form = useForm({
    fields: ['overlap'],
    send: ({ overlap }) => auth.admin.rotateServiceSecret({ clientId, overlap: Number(overlap) }),
    errors: s.errors,
    done,
  })
  return (
    <form {...form.props} className="grid gap-5">
      <SelectField {...form.field('overlap')} label={s.overlap} hint={s.overlapHint}>
        {overlaps.map((overlap) => (
          <option key={overlap} value={overlap}>
            {s.stillFor(inWords(overlap, language))}
          </option>
        ))}
        <option value={0}>{s.noLonger}</option>
      </SelectField>
      <Submit form={form} onCancel={cancel}>
        {s.rotate}
      </Submit>
    </form>
  )
}
