import type { ServerApi } from '../../rpc.ts'

/** Calls the method of Gatehouse's server API that the path names, with the body as its argument. */
export default {
  async fetch(request, { GATEHOUSE }): Promise<Response> {
    const method = new URL(request.url).pathname.slice(1)
    const input = await request.json<Record<string, string>>()
    if (method === 'getSession') return Response.json(await GATEHOUSE.getSession(input))
    const api = GATEHOUSE as unknown as Record<string, (input: unknown) => Promise<unknown>>
    return Response.json(await api[method]!(input))
  },
} satisfies ExportedHandler<{ GATEHOUSE: Service<typeof ServerApi> }>
