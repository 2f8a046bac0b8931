import { type FormEvent, useState } from 'react'
import { auth } from '../../lib/api.ts'
import { concernsAll, type Failure, useInTurn } from '../../lib/in-turn.ts'
import { messageOf, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { ErrorPanel, Note } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { Member, Organization } from './current.tsx'
import { memberListTexts } from './member-list.texts.ts'
import { nameOf } from './person.tsx'
import { organizationTexts } from './texts.ts'

/** The names that the question lists. */
const listed = 6

/** Removes the selected members, one after another. */
export function RemoveMembers({ members, organization }: { members: Member[]; organization: Organization }) {
  const t = useTexts(memberListTexts)
  // The members of the opened dialog: the list behind it becomes shorter.
  const [asked, setAsked] = useState<Member[] | null>(null)
  return (
    <>
      <Button look="danger" disabled={members.length === 0} onClick={() => setAsked(members)}>
        {t.removeMany(members.length)}
      </Button>
      <Dialog open={asked !== null} title={t.removeManyQuestion(asked?.length ?? 0)} onClose={() => setAsked(null)}>
        {asked && <Question members={asked} organization={organization} close={() => setAsked(null)} />}
      </Dialog>
    </>
  )
}

interface QuestionProps {
  members: Member[]
  organization: Organization
  close(): void
}

function Question({ members, organization, close }: QuestionProps) {
  const t = useTexts(memberListTexts)
  const org = useTexts(organizationTexts)
  const [failures, setFailures] = useState<Failure<Member>[]>([])
  const left = failures.length > 0 ? failures.map(({ item }) => item) : members
  const { progress, run } = useInTurn((member: Member) =>
    auth.organization.removeMember({ memberIdOrEmail: member.id, organizationId: organization.id }),
  )
  async function remove(event: FormEvent) {
    event.preventDefault()
    if (progress) return
    const failed = await run(left)
    const removed = left.length - failed.length
    setFailures(failed)
    if (failed.length > 0) return
    close()
    toast(t.removedMany(removed))
  }
  const general = failures.find(({ error }) => concernsAll(error))?.error
  return (
    <form onSubmit={(event) => void remove(event)} className="grid gap-5">
      {failures.length === 0 ? (
        <div className="grid gap-3">
          <ul className="list-disc ps-5">
            {members.slice(0, listed).map((member) => (
              <li key={member.id}>{nameOf(member)}</li>
            ))}
            {members.length > listed && <li>{t.andMore(members.length - listed)}</li>}
          </ul>
          <p>{t.removeManyWhat(organization.name)}</p>
        </div>
      ) : general ? (
        <div className="grid gap-3">
          <p>{t.notRemoved(failures.length)}</p>
          <ErrorPanel error={general} errors={org.errors} />
        </div>
      ) : (
        <Note tone="danger" live>
          <p>{t.notRemoved(failures.length)}</p>
          <ul className="list-disc ps-5">
            {failures.map(({ item, error }) => (
              <li key={item.id}>
                {nameOf(item)}: {messageOf(error, t, org.errors)}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {progress && <ProgressBar of={progress}>{t.removing(progress.done + 1, progress.total)}</ProgressBar>}
      <div className="flex flex-wrap-reverse justify-end gap-3 max-sm:*:grow">
        <Button disabled={progress !== null} onClick={close}>
          {failures.length > 0 ? t.close : t.cancel}
        </Button>
        <Button type="submit" look="destroy" busy={progress !== null}>
          {failures.length > 0 ? t.retry : t.removeMany(members.length)}
        </Button>
      </div>
    </form>
  )
}
