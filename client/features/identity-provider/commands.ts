import { Bot, History, Link2, Plus, Server } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/identityProvider', {
    register: { label: 'Register an OAuth client', words: 'OAuth, client, application, app, OpenID, new' },
    agent: { label: 'Create an agent', words: 'agent, AI, assistant, new' },
    organizationAgent: { label: 'Create an agent of the organization', words: 'agent, AI, assistant, new' },
    earlier: { label: 'Earlier approvals', words: 'approvals, agents, history' },
    sharedAgents: { label: 'Agents of your organizations', words: 'agents, AI, assistant, shared' },
    linkedAccounts: { label: 'Linked accounts of agents', words: 'agents, AI, accounts, providers' },
    allowAccount: { label: 'Let an agent use a linked account', words: 'agents, AI, allow, accounts, providers' },
    organizationResource: { label: 'Create a resource of the organization', words: 'resource, API, audience, new' },
    resources: { label: 'Resources of all', words: 'resources, API, audience' },
    resource: { label: 'Create a resource for all', words: 'resource, API, audience, new' },
    services: { label: 'Services', words: 'service, machine, server, client' },
    service: { label: 'Create a service', words: 'service, machine, server, client, new' },
  }),
  {
    register: { icon: Plus, to: '/developers/clients#register', on: 'identityProvider' },
    agent: { icon: Plus, to: '/account/agents#create', on: 'identityProvider' },
    organizationAgent: {
      icon: Plus,
      to: '/organization/agents#create',
      on: ['identityProvider', 'organization'],
      memberPermission: { apiKey: ['create'] },
    },
    earlier: { icon: History, to: '/account/approvals#earlier', on: 'identityProvider' },
    sharedAgents: { icon: Bot, to: '/account/agents#shared', on: ['identityProvider', 'organization'] },
    linkedAccounts: { icon: Link2, to: '/account/agents#linked-accounts', on: 'identityProvider' },
    allowAccount: { icon: Link2, to: '/account/agents#allow-account', on: 'identityProvider' },
    organizationResource: {
      icon: Plus,
      to: '/organization/resources#create',
      on: ['organizationResources', 'organization'],
      memberPermission: { organization: ['update'] },
    },
    resources: {
      icon: Server,
      to: '/admin/resources#resources',
      on: ['identityProvider', 'admin'],
      permission: { resource: ['list'] },
    },
    resource: {
      icon: Plus,
      to: '/admin/resources#create',
      on: ['identityProvider', 'admin'],
      permission: { resource: ['create'] },
    },
    services: {
      icon: Server,
      to: '/admin/resources#services',
      on: ['identityProvider', 'admin'],
      permission: { resource: ['list'] },
    },
    service: {
      icon: Plus,
      to: '/admin/resources#create-service',
      on: ['identityProvider', 'admin'],
      permission: { service: ['create'] },
    },
  },
)
