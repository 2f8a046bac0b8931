import { type ReactNode, useEffect, useRef, useState } from 'react'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { auth } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'
import { givenReason } from '../../lib/ban-reason.ts'
import { type BulkProgress, runBulk } from '../../lib/bulk.ts'
import { useSecondsUntil } from '../../lib/clock.ts'
import { useForm } from '../../lib/form.ts'
import { chosenRoles, roleField } from '../../lib/permissions.ts'
import { messageOf, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmTexts, PhraseField } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { bulkTexts } from './bulk.texts.ts'
import { durations } from './durations.ts'
import { isBanned, nameOf, refreshUser, useAdminRules } from './rights.ts'
import { RoleFields } from './role-fields.tsx'
import { adminTexts } from './texts.ts'

export type BulkAct = 'ban' | 'unban' | 'signOut' | 'roles' | 'remove'

type Send = (user: User) => Promise<Result<unknown>>

const banAsBefore: Send = (user) => {
  const { id: userId, banReason, banExpires } = user
  if (!isBanned(user)) return auth.admin.unbanUser({ userId })
  const banExpiresIn = banExpires ? Math.max(1, Math.ceil((banExpires.getTime() - Date.now()) / 1000)) : undefined
  return auth.admin.banUser({ userId, banReason: givenReason(banReason) ?? undefined, banExpiresIn })
}

/** The way back to the users as the list has shown them. A sign-out and a deletion have none. */
const restored: Partial<Record<BulkAct, Send>> = {
  ban: banAsBefore,
  unban: banAsBefore,
  roles: ({ id: userId, role }) => auth.admin.setRole({ userId, role: splitRoles(role ?? '') }),
}

interface BulkDialogProps {
  act: BulkAct
  users: User[]
  /** @param failed the users that the act has failed for; null if it has not begun */
  onClose(failed: User[] | null): void
}

/** Asks for what the act needs, runs it for one user after the other, and lists those for which it failed. */
export default function BulkDialog({ act, users, onClose }: BulkDialogProps) {
  const t = useTexts(bulkTexts)
  const [progress, setProgress] = useState<BulkProgress<User> | null>(null)
  const [ended, setEnded] = useState(false)
  const [stopping, setStopping] = useState(false)
  const [undone, setUndone] = useState<User[] | null>(null)
  const stop = useRef(new AbortController())
  // The screen may be left during the run.
  useEffect(() => {
    const { current } = stop
    return () => current.abort()
  }, [])
  async function start(send: Send, of: User[] = users) {
    await runBulk(of, { send, onProgress: setProgress, signal: stop.current.signal })
    setEnded(true)
    refreshUser()
  }
  function undo(changed: User[]) {
    stop.current = new AbortController()
    setUndone(changed)
    setEnded(false)
    setStopping(false)
    void start(restored[act]!, changed)
  }
  function requestStop() {
    setStopping(true)
    stop.current.abort()
  }
  function close() {
    if (progress && !ended) requestStop()
    else onClose(progress?.failed.map(({ item }) => item) ?? null)
  }
  const all = (undone ?? users).length
  const running = undone ? t.undoing : t.running[act]
  const asking = { users, act, onCancel: close, onStart: (send: Send) => void start(send) }
  return (
    <Dialog open title={ended ? t.result : progress ? running : t.titles[act](users.length)} onClose={close}>
      {progress === null ? (
        <>
          <p className="text-soft">{t.what[act]}</p>
          <Question {...asking} />
        </>
      ) : ended ? (
        <Outcome
          act={act}
          all={all}
          progress={progress}
          onClose={close}
          undone={undone !== null}
          onUndo={!undone && restored[act] && progress.succeeded.length > 0 ? () => undo(progress.succeeded) : null}
        />
      ) : (
        <Running label={running} all={all} progress={progress} stopping={stopping} onStop={requestStop} />
      )}
    </Dialog>
  )
}

interface QuestionProps {
  users: User[]
  act: BulkAct
  onStart(send: Send): void
  onCancel(): void
}

function Question({ users, act, onStart, onCancel }: QuestionProps) {
  const t = useTexts(bulkTexts)
  const admin = useTexts(adminTexts)
  const { confirmMismatch } = useTexts(confirmTexts)
  const { roles, defaultRole } = useAdminRules()
  const known = Object.keys(roles)
  const first = roleField(known[0] ?? '')
  const phrase = t.confirmRemoval(users.length)
  const form = useForm({
    fields: ['reason', 'duration', 'phrase', ...known.map(roleField)],
    check: (values) => ({
      phrase: act === 'remove' && values.phrase?.trim() !== phrase && confirmMismatch(phrase),
      [first]: act === 'roles' && chosenRoles(values, known).length === 0 && admin.roleRequired,
    }),
    send: async () => ({ data: null, error: null }),
    done: (_answer, values) => {
      const { reason = '', duration = 'ever' } = values
      const role = chosenRoles(values, known)
      const terms = { banReason: reason.trim(), banExpiresIn: durations[duration as keyof typeof durations] }
      const acts: Record<BulkAct, Send> = {
        ban: ({ id: userId }) => auth.admin.banUser({ userId, ...terms }),
        unban: ({ id: userId }) => auth.admin.unbanUser({ userId }),
        signOut: ({ id: userId }) => auth.admin.revokeUserSessions({ userId }),
        roles: ({ id: userId }) => auth.admin.setRole({ userId, role }),
        remove: ({ id: userId }) => auth.admin.removeUser({ userId }),
      }
      onStart(acts[act])
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Scrolled label={t.barLabel}>
        {users.map((user) => (
          <li key={user.id} className="wrap-anywhere">
            {nameOf(user)}
          </li>
        ))}
      </Scrolled>
      {act === 'ban' && (
        <>
          <Field {...form.field('reason')} label={admin.reason} maxLength={500} optional autoComplete="off" />
          <SelectField {...form.field('duration')} label={admin.duration} defaultValue="ever">
            {Object.entries(admin.durations).map(([duration, label]) => (
              <option key={duration} value={duration}>
                {label}
              </option>
            ))}
          </SelectField>
        </>
      )}
      {act === 'roles' && <RoleFields held={[defaultRole]} error={form.field(first).error} />}
      {act === 'remove' && <PhraseField {...form.field('phrase')} phrase={phrase} />}
      <Submit form={form} look={act === 'ban' || act === 'remove' ? 'destroy' : 'primary'} onCancel={onCancel}>
        {t[act]}
      </Submit>
    </form>
  )
}

/** A list that scrolls, also by keyboard. */
function Scrolled({ label, children }: { label: string; children: ReactNode }) {
  const focusable = { role: 'region', 'aria-label': label, tabIndex: 0 }
  return (
    <div {...focusable} className="max-h-52 overflow-y-auto rounded border px-3 py-2 text-sm">
      <ul className="grid gap-1.5">{children}</ul>
    </div>
  )
}

interface RunningProps {
  label: string
  all: number
  progress: BulkProgress<User>
  stopping: boolean
  onStop(): void
}

function Running({ label, all, progress: { done, pausedUntil }, stopping, onStop }: RunningProps) {
  const t = useTexts(bulkTexts)
  const left = useSecondsUntil(pausedUntil)
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <div
          role="progressbar"
          aria-label={label}
          aria-valuenow={done}
          aria-valuemax={all}
          aria-valuetext={t.progress(done, all)}
          className="h-2 overflow-hidden rounded-full bg-line"
        >
          <div className="h-full bg-accent-fill" style={{ width: `${(100 * done) / all}%` }} />
        </div>
        <p className="flex flex-wrap justify-between gap-x-4 text-soft">
          <span className="tabular-nums">{t.progress(done, all)}</span>
          <span role="status">{stopping ? t.stopping : left > 0 && t.paused(left)}</span>
        </p>
      </div>
      <Button data-first className="justify-self-end" disabled={stopping} onClick={onStop}>
        {t.stop}
      </Button>
    </div>
  )
}

interface OutcomeProps {
  act: BulkAct
  all: number
  progress: BulkProgress<User>
  /** It was the way back. */
  undone: boolean
  onUndo: (() => void) | null
  onClose(): void
}

function Outcome({ act, all, progress: { done, failed }, undone, onUndo, onClose }: OutcomeProps) {
  const t = useTexts(bulkTexts)
  const admin = useTexts(adminTexts)
  const core = useTexts()
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => close.current?.focus(), [])
  return (
    <div className="grid gap-4">
      <div role="status" className="grid gap-1">
        <p>{(undone ? t.undone : t.finished[act])(done - failed.length)}</p>
        {done < all && <p>{t.notDone(all - done)}</p>}
        {failed.length > 0 && <p className="text-danger">{t.failed(failed.length)}</p>}
      </div>
      {failed.length > 0 && (
        <>
          <Scrolled label={t.failed(failed.length)}>
            {failed.map(({ item, error }) => (
              <li key={item.id} className="wrap-anywhere">
                <span className="font-medium">{nameOf(item)}</span>
                <span className="block text-soft">{messageOf(error, core, admin.errors)}</span>
              </li>
            ))}
          </Scrolled>
          {act !== 'remove' && !undone && <p className="text-sm text-soft">{t.stillSelected}</p>}
        </>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        {onUndo && <Button onClick={onUndo}>{t.undo}</Button>}
        <Button ref={close} onClick={onClose}>
          {t.close}
        </Button>
      </div>
    </div>
  )
}
