import { Check, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { addressesIn, typedAddresses } from '../../lib/addresses.ts'
import { auth } from '../../lib/api.ts'
import { cx } from '../../lib/cx.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { concernsAll, type Failure, useInTurn } from '../../lib/in-turn.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { chosenRoles, roleField } from '../../lib/permissions.ts'
import { messageOf, useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FieldFrame, SelectField } from '../../ui/field.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, useRoleNames, useRules } from './current.tsx'
import { memberListTexts } from './member-list.texts.ts'
import { membersTexts } from './members.texts.ts'
import { RoleChoice } from './role-choice.tsx'
import { organizationTexts } from './texts.ts'

/** The largest number of invitations that one form sends. */
const most = 50

const several = ' several'

interface Invitation {
  email: string
  role: string[]
  organizationId: string
  teamId?: string
}

/** Invites one or several users with the same role: one call for each address. */
export function InviteForm({ organization, mayGrant, close }: Current & { close(): void }) {
  const t = useTexts(memberListTexts)
  const texts = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const errors = { ...org.errors, TOO_MANY_REQUESTS: org.tooManyInvitations }
  const lifetime = useLifetime('invitation')
  const known = Object.keys(useRules().roles)
  const first = roleField(known[0] ?? '')
  const teams = organization.teams ?? []
  const [text, setText] = useState('')
  const [addresses, setAddresses] = useState<string[]>([])
  const [sent, setSent] = useState<string[]>([])
  const [failures, setFailures] = useState<Failure<Invitation>[]>([])
  const [severalRoles, setSeveralRoles] = useState(false)
  const together = (more: string[]) => [...new Set([...addresses, ...more])]

  const { progress, run } = useInTurn(async (invitation: Invitation) => {
    const answer = await auth.organization.inviteMember(invitation)
    if (!answer.error) setSent((done) => [...done, invitation.email])
    return answer
  })
  const form = useForm({
    fields: ['addresses', 'role', 'team', ...known.map(roleField)],
    check(values) {
      const list = together(addressesIn(values.addresses ?? ''))
      const invalid = list.filter((address) => !looksLikeEmail(address)).length
      setAddresses(list)
      setText('')
      setFailures([])
      return {
        addresses:
          list.length === 0
            ? t.addressRequired
            : invalid > 0
              ? t.invalidAddresses(invalid)
              : list.length > most && t.tooManyAddresses(most),
        [first]: severalRoles && chosenRoles(values, known).length === 0 && org.roleRequired,
      }
    },
    async send(values) {
      const list = together(addressesIn(values.addresses ?? ''))
      const role = severalRoles ? chosenRoles(values, known) : [values.role ?? '']
      const team = values.team ? { teamId: values.team } : {}
      const failed = await run(list.map((email) => ({ email, role, organizationId: organization.id, ...team })))
      return { data: { list, failed }, error: null }
    },
    done({ list, failed }) {
      setFailures(failed)
      setAddresses(failed.map(({ item }) => item.email))
      if (failed.length > 0) return
      close()
      const count = sent.length + list.length
      toast(count === 1 ? texts.invited(list[0]!) : t.invitedMany(count))
    },
  })
  const general = failures.find(({ error }) => concernsAll(error))?.error
  const count = together(addressesIn(text)).length
  return (
    <form {...form.props} className="grid grid-cols-1 gap-5">
      <p>{texts.inviteWhat(lifetime)}</p>
      <div className="grid grid-cols-1 gap-3">
        <Addresses
          error={form.field('addresses').error}
          text={text}
          onText={setText}
          onAddresses={(more) => setAddresses(together(more))}
        />
        {sent.length > 0 && <Sent addresses={sent} />}
        {addresses.length > 0 && !progress && (
          <ul aria-label={t.addressList} className="flex flex-wrap gap-2">
            {addresses.map((address) => {
              const failure = failures.find(({ item }) => item.email === address)
              const problem = !looksLikeEmail(address)
                ? t.invalid
                : failure && !general && messageOf(failure.error, t, errors)
              return (
                <Chip
                  key={address}
                  address={address}
                  problem={problem || undefined}
                  onRemove={() => {
                    setAddresses(addresses.filter((each) => each !== address))
                    setFailures(failures.filter(({ item }) => item.email !== address))
                  }}
                />
              )
            })}
          </ul>
        )}
      </div>
      {severalRoles ? (
        <div className="grid justify-items-start gap-3">
          <RoleChoice checked={['member']} mayGrant={mayGrant} error={form.field(first).error} />
          <Button look="quiet" className="-ms-4" onClick={() => setSeveralRoles(false)}>
            {t.oneRole}
          </Button>
        </div>
      ) : (
        <RoleField mayGrant={mayGrant} onSeveral={() => setSeveralRoles(true)} />
      )}
      {teams.length > 0 && (
        <SelectField {...form.field('team')} label={texts.inTeam} optional>
          <option value="">{texts.anyTeam}</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {progress && <ProgressBar of={progress}>{t.sending(progress.done + 1, progress.total)}</ProgressBar>}
      {general?.code === 'EMAIL_NOT_VERIFIED' ? (
        <VerifyFirst />
      ) : (
        general && <ErrorPanel error={general} errors={errors} />
      )}
      <Submit form={form} onCancel={close} cancel={sent.length > 0 ? t.close : undefined}>
        {count > 1 ? t.sendMany(count) : t.sendOne}
      </Submit>
    </form>
  )
}

/** A user without a verified address has sent all invitations of the day, or may send none. */
function VerifyFirst() {
  const t = useTexts(membersTexts)
  return (
    <div role="alert" className="grid gap-3">
      <p>{t.inviteUnverified}</p>
      <ButtonLink to="/account/profile#email">{t.verifyFirst}</ButtonLink>
    </div>
  )
}

interface AddressesProps {
  error: string | undefined
  text: string
  onText(text: string): void
  onAddresses(addresses: string[]): void
}

/** A text area that turns each complete address into a chip below it. */
function Addresses({ error, text, onText, onAddresses }: AddressesProps) {
  const t = useTexts(memberListTexts)
  function take(typed: string) {
    const { complete, rest } = typedAddresses(typed)
    if (complete.length > 0) onAddresses(complete)
    onText(complete.length > 0 ? rest : typed)
  }
  /** Enter completes an address; in an empty field it sends the form. */
  function onKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (text.trim()) take(`${text}\n`)
    else event.currentTarget.form?.requestSubmit()
  }
  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const pasted = event.clipboardData.getData('text')
    if (addressesIn(pasted).length < 2) return
    event.preventDefault()
    onAddresses(addressesIn(`${text}${pasted}`))
    onText('')
  }
  return (
    <FieldFrame label={t.addresses} hint={t.addressesHint} error={error}>
      {(control) => (
        <textarea
          {...control}
          name="addresses"
          rows={2}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="email"
          value={text}
          onChange={(event) => take(event.target.value)}
          onKeyDown={onKey}
          onPaste={onPaste}
          className="control resize-none"
        />
      )}
    </FieldFrame>
  )
}

interface ChipProps {
  address: string
  problem?: string | undefined
  onRemove(): void
}

function Chip({ address, problem, onRemove }: ChipProps) {
  const t = useTexts(memberListTexts)
  return (
    <li
      className={cx(
        'flex min-h-10 max-w-full items-center gap-1 rounded border ps-3 text-sm',
        problem ? 'border-danger/40 bg-danger-wash' : 'bg-sunken',
      )}
    >
      <span className="min-w-0 py-1 wrap-anywhere">
        {address}
        {problem && <span className="block text-danger">{problem}</span>}
      </span>
      <button
        type="button"
        aria-label={t.removeAddress(address)}
        onClick={onRemove}
        className="grid size-10 flex-none place-items-center rounded text-soft hover:text-ink"
      >
        <X aria-hidden size={16} />
      </button>
    </li>
  )
}

function Sent({ addresses }: { addresses: string[] }) {
  const t = useTexts(memberListTexts)
  return (
    <ul aria-label={t.sent} className="grid gap-1 text-sm">
      {addresses.map((address) => (
        <li key={address} className="flex items-start gap-2">
          <Check aria-hidden size={16} className="mt-0.5 flex-none text-success" />
          <span className="min-w-0 wrap-anywhere">{address}</span>
        </li>
      ))}
    </ul>
  )
}

function RoleField({ mayGrant, onSeveral }: { mayGrant(role: string): boolean; onSeveral(): void }) {
  const t = useTexts(memberListTexts)
  const org = useTexts(organizationTexts)
  const names = useRoleNames()
  const known = Object.keys(useRules().roles)
  const first = known.includes('member') && mayGrant('member') ? 'member' : known.find(mayGrant)
  return (
    <SelectField
      label={org.role}
      name="role"
      defaultValue={first}
      onChange={({ target }) => target.value === several && onSeveral()}
    >
      {known.map((role) => (
        <option key={role} value={role} disabled={!mayGrant(role)}>
          {names.one(role)}
        </option>
      ))}
      {known.length > 1 && <option value={several}>{t.several}</option>}
    </SelectField>
  )
}
