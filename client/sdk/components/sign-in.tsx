import { type Screen, visitor } from '../../lib/screens.ts'
import SignInScreen from '../../pages/sign-in.tsx'
import { VisitorFlow, type VisitorFlowProps } from './visitor-flow.tsx'

const first: Screen[] = [
  { path: '/sign-in', frame: 'visitor', component: SignInScreen },
  visitor('/sign-up', () => import('../../pages/sign-up.tsx'), 'signUp', 'passkeySignUp'),
]

export default function SignIn(props: VisitorFlowProps) {
  return <VisitorFlow {...props} first={first} />
}
