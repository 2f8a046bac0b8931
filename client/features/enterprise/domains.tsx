import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Domain, useManager } from './manager.ts'
import { Copyable, Part } from './parts.tsx'
import { ssoTexts } from './texts.ts'

export function Domains() {
  const t = useTexts(ssoTexts)
  const { domains, mayChange } = useManager()
  const add = mayChange && (
    <DialogButton id="add-domain" label={t.addDomain}>
      {(close) => <DomainForm close={close} />}
    </DialogButton>
  )
  return (
    <Part id="domains" title={t.domains} intro={t.domainsIntro} action={domains.length > 0 && add}>
      {domains.length === 0 ? (
        <EmptyState action={add}>{t.noDomains}</EmptyState>
      ) : (
        <ul className="grid gap-3">
          {domains.map((domain) => (
            <Row key={domain.id} domain={domain} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function DomainForm({ close }: { close(): void }) {
  const t = useTexts(ssoTexts)
  const { addDomain, refresh } = useManager()
  const form = useForm({
    fields: ['domain'],
    check: ({ domain }) => ({ domain: !domain.trim() && t.domainNeeded }),
    send: ({ domain }) => addDomain(domain.trim()),
    at: { INVALID_DOMAIN: 'domain', DOMAIN_ALREADY_ADDED: 'domain' },
    errors: t.errors,
    done() {
      close()
      refresh()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field
        {...form.field('domain')}
        label={t.domain}
        dir="ltr"
        placeholder="example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={253}
      />
      <Submit form={form} onCancel={close}>
        {t.addDomain}
      </Submit>
    </form>
  )
}

function Row({ domain: { id: domainId, domain, verified, missingSince, record, connectionId } }: { domain: Domain }) {
  const t = useTexts(ssoTexts)
  const { verifyDomain, refresh, mayChange, organizationId, connections } = useManager()
  const check = useAction(
    () => verifyDomain(domainId),
    () => {
      toast(t.domainVerified(domain))
      refresh()
    },
  )
  return (
    <li className="grid grid-cols-1 gap-3 rounded border p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <span className="min-w-0 font-medium wrap-anywhere">{domain}</span>
        <Badge tone={missingSince ? 'danger' : verified ? 'success' : 'warning'}>
          {missingSince ? t.missing : verified ? t.verified : t.pending}
        </Badge>
      </div>
      {(!verified || missingSince) && (
        <>
          <p className="text-soft">{t.record}</p>
          <Copyable label={t.recordName} text={record.name} />
          <Copyable label={t.recordValue} text={record.value} />
        </>
      )}
      {check.error && <ErrorPanel error={check.error} errors={t.errors} />}
      {mayChange && (
        <div className="flex flex-wrap items-end gap-3">
          {(!verified || missingSince) && (
            <Button busy={check.busy} onClick={check.run}>
              {t.check}
            </Button>
          )}
          {organizationId !== null && (
            <>
              {verified && connections.length > 1 && (
                <ConnectionChoice {...{ organizationId, domainId, domain, connectionId }} />
              )}
              <ConfirmDestroy
                title={t.removeDomainQuestion(domain)}
                action={t.removeDomain}
                errors={t.errors}
                send={() => auth.sso.removeDomain({ organizationId, domainId })}
                done={() => {
                  toast(t.domainRemoved(domain))
                  refresh()
                }}
              >
                {t.removeDomainWhat}
              </ConfirmDestroy>
            </>
          )}
        </div>
      )}
    </li>
  )
}

interface ChoiceProps {
  organizationId: string
  domainId: string
  domain: string
  connectionId: string | null
}

function ConnectionChoice({ organizationId, domainId, domain, connectionId }: ChoiceProps) {
  const t = useTexts(ssoTexts)
  const { connections, refresh } = useManager()
  const choose = useAction(
    (id: string) => auth.sso.updateDomain({ organizationId, domainId, connectionId: id || null }),
    () => {
      toast(t.saveDone)
      refresh()
    },
  )
  return (
    <div className="grid min-w-0 basis-64 gap-2">
      <SelectField
        label={t.domainConnection(domain)}
        value={connectionId ?? ''}
        aria-disabled={choose.busy || undefined}
        onChange={(event) => choose.run(event.target.value)}
      >
        <option value="">{t.oldestConnection}</option>
        {connections.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {choose.error && <ErrorPanel error={choose.error} errors={t.errors} />}
    </div>
  )
}
