/** A tool server of the Model Context Protocol that accepts only tokens for itself. The guide shows `authorized`. */

export interface ToolServer {
  /** The address of Gatehouse. */
  gatehouse: string
  /** The address of this server for its clients; Gatehouse's `mcp.resource`. */
  resource: string
  fetch: (url: string, init?: RequestInit) => Promise<Response>
}

/** Returns the user's id, or Gatehouse's 401 or 403 with the challenge that agents follow. */
export async function authorized(request: Request, server: ToolServer, scope: string): Promise<string | Response> {
  const query = new URLSearchParams({ resource: server.resource, scope })
  const answer = await server.fetch(`${server.gatehouse}/api/auth/mcp/get-session?${query}`, {
    headers: { authorization: request.headers.get('authorization') ?? '' },
  })
  if (!answer.ok) return answer
  const { userId } = (await answer.json()) as { userId: string }
  return userId
}

/** Answers `whoami` for callers with access to tools, and `erase` for callers with more permissions. */
export async function toolServer(request: Request, server: ToolServer): Promise<Response> {
  if (request.method !== 'POST') return new Response(null, { status: 405 })
  const call = (await request.json()) as { id?: number; method: string; params?: { name?: string } }
  const scope = call.params?.name === 'erase' ? 'tools:call tools:admin' : 'tools:call'
  const caller = await authorized(request, server, scope)
  if (caller instanceof Response) return caller
  if (call.id === undefined) return new Response(null, { status: 202 })
  return Response.json({ jsonrpc: '2.0', id: call.id, result: resultOf(call.method, caller) })
}

function resultOf(method: string, caller: string): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'neighbour', version: '1.0.0' }
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') {
    return { tools: ['whoami', 'erase'].map((name) => ({ name, inputSchema: { type: 'object' } })) }
  }
  return { content: [{ type: 'text', text: caller }] }
}
