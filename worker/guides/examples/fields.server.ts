import type { ServerApi } from 'gatehouse-auth'

/** In another Worker, with `services = [{ binding = "GATEHOUSE", service = "gatehouse", entrypoint = "ServerApi" }]`. */
export async function upgrade(env: { GATEHOUSE: Service<ServerApi> }, sessionToken: string) {
  const answer = await env.GATEHOUSE.setSessionFields({ sessionToken, fields: { plan: 'paid' } })
  return answer.ok ? answer.result.plan : answer.code
}
