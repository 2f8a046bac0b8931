import { type Screen, visitor } from '../../lib/screens.ts'
import SignUpScreen from '../../pages/sign-up.tsx'
import { VisitorFlow, type VisitorFlowProps } from './visitor-flow.tsx'

const first: Screen[] = [
  { path: '/sign-up', frame: 'visitor', component: SignUpScreen, switches: ['signUp', 'passkeySignUp'] },
  visitor('/sign-in', () => import('../../pages/sign-in.tsx')),
]

export default function SignUp(props: VisitorFlowProps) {
  return <VisitorFlow {...props} first={first} />
}
