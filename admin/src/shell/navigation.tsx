import { NavLink, Stack, Text } from '@mantine/core'
import { Link, matchPath, useLocation } from 'react-router'
import { __ } from '../i18n.ts'
import { screens } from '../screens/index.ts'
import type { Screen, ScreenNav } from '../screens/screen.ts'

const GROUPS: readonly { readonly id: ScreenNav['group']; readonly label: string }[] = [
  { id: 'overview', label: '' },
  { id: 'content', label: __('Content', 'pentad') },
  { id: 'services', label: __('Services', 'pentad') },
  { id: 'extensions', label: __('Extensions', 'pentad') },
  { id: 'site', label: __('Site', 'pentad') },
]

const listed = screens.flatMap((screen) => (screen.nav ? [{ ...screen, nav: screen.nav }] : []))
const childrenOf = ({ path }: Screen) => listed.filter(({ nav }) => nav.parent === path)

/** All screens of the navigation; child entries are shown while their parent is open. */
export function Navigation() {
  const { pathname } = useLocation()
  return (
    <nav aria-label={__('Admin menu', 'pentad')}>
      {GROUPS.map(({ id, label }) => {
        const top = listed.filter(({ nav }) => nav.group === id && nav.parent === undefined)
        if (top.length === 0) return null
        return (
          <Stack key={id} gap={2} mb="sm">
            {label && (
              <Text size="xs" fw={600} c="dimmed" px="sm" tt="uppercase">
                {label}
              </Text>
            )}
            {top.map((screen) => (
              <Entry key={screen.path} screen={screen} pathname={pathname} />
            ))}
          </Stack>
        )
      })}
    </nav>
  )
}

function Entry({ screen, pathname }: { screen: Screen & { nav: ScreenNav }; pathname: string }) {
  const { path, title, nav } = screen
  const children = childrenOf(screen)
  const isOpen = [screen, ...children].some((one) => isBelow(one.path, pathname))
  const { icon: Icon, Badge } = nav
  return (
    <>
      <NavLink
        component={Link}
        to={`/${path}`}
        label={nav.label ?? title}
        active={isBelow(path, pathname) && !children.some((child) => isBelow(child.path, pathname))}
        aria-current={matchPath(`/${path}`, pathname) ? 'page' : undefined}
        leftSection={Icon && <Icon size={18} aria-hidden />}
        rightSection={Badge && <Badge />}
        py={6}
      />
      {isOpen &&
        children.map((child) => (
          <NavLink
            key={child.path}
            component={Link}
            to={`/${child.path}`}
            label={child.nav.label ?? child.title}
            active={isBelow(child.path, pathname)}
            aria-current={matchPath(`/${child.path}`, pathname) ? 'page' : undefined}
            py={4}
            ps={42}
          />
        ))}
    </>
  )
}

/** Whether the current screen is this one or below it. */
function isBelow(path: string, pathname: string): boolean {
  return matchPath({ path: `/${path}`, end: path === '' }, pathname) !== null
}
