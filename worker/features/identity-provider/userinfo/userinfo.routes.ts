import type { Handlers } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { userinfoContract } from './userinfo.contract.ts'
import { readPresented, userinfo } from './userinfo.ts'

const claims = ({ scope, request, raw }: { scope: Scope; request: Request; raw: string }) =>
  userinfo(scope, readPresented(request, raw))

export const userinfoHandlers: Handlers<typeof userinfoContract> = { userinfo: claims, userinfoByPost: claims }
