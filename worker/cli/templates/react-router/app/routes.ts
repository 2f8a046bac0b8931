import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('members', 'routes/members.tsx'),
  route('tasks', 'routes/tasks.tsx'),
] satisfies RouteConfig
