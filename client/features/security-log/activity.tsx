import { auth, useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { OwnEyes } from '../../ui/own-session.tsx'
import { Section } from '../../ui/section.tsx'
import { EventList } from './event-list.tsx'
import { securityLogTexts } from './texts.ts'

/** On the security page: the sign-in log. */
export default function Activity() {
  const t = useTexts(securityLogTexts)
  const { session } = useMember()
  return (
    <Section id="activity" title={t.title} intro={t.intro}>
      <OwnEyes>
        <EventList queryKey={['securityEvents', session.id]} load={(query) => auth.securityEvents({ query })} />
      </OwnEyes>
    </Section>
  )
}
