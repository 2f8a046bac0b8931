import screens from '../../features/api-key/screens.ts'
import { MemberFlow } from './member.tsx'

export default function ApiKeys() {
  return <MemberFlow screens={screens} start="/developers/api-keys" />
}
