import { ActionIcon, Anchor, AppShell, Box, Burger, Group, Loader, ScrollArea, Tooltip } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconExternalLink } from '@tabler/icons-react'
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { __ } from '../i18n.ts'
import { can, hasService } from '../page-data.ts'
import { useSiteTitle } from '../parts/site-title.ts'
import { pluginAdmins } from '../plugins/admins.ts'
import { ColorScheme } from './color-scheme.tsx'
import { ConfirmPassword } from './confirm-password.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { Navigation } from './navigation.tsx'
import { SafeMode } from './safe-mode.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { UserMenu } from './user-menu.tsx'

/** The side panel, from the first plugin that offers one to this user. */
const aside = pluginAdmins.find(({ id, aside }) => aside && hasService(id) && can(aside.capability))?.aside
const AsidePanel = aside && lazy(aside.load)
const useIsAsideOpen = aside?.useIsOpen ?? (() => false)

/** The layout around every screen: header, navigation, and the side panel of a plugin. */
export function Frame() {
  const [isNavOpen, nav] = useDisclosure()
  const isAsideOpen = useIsAsideOpen()
  const asideButton = useRef<HTMLButtonElement>(null)
  const burger = useRef<HTMLButtonElement>(null)
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const closeNav = useRef(nav.close)
  closeNav.current = nav.close

  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the navigation gives way to each screen that is opened
  useEffect(() => closeNav.current(), [pathname])
  useKeptFocus()
  useHotkeys(aside ? [[aside.shortcut.hotkey, aside.toggle]] : [], [], true)

  /** On a phone. */
  function leaveNav({ key }: KeyboardEvent): void {
    if (key !== 'Escape' || !isNavOpen) return
    nav.close()
    burger.current?.focus()
  }

  /** Closing the panel returns the focus to where it was opened. */
  function leaveAside(): void {
    aside?.close()
    asideButton.current?.focus()
  }

  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isNavOpen } }}
      aside={{ width: 400, breakpoint: 'lg', collapsed: { mobile: !isAsideOpen, desktop: !isAsideOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#main">
        {__('Skip to main content', 'pentad')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="xs" wrap="nowrap">
          <Burger
            ref={burger}
            opened={isNavOpen}
            onClick={nav.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-expanded={isNavOpen}
            aria-label={__('Navigation', 'pentad')}
          />
          <Anchor href="/" fw={650} c="inherit" truncate>
            {useSiteTitle()}
          </Anchor>
          <Anchor href="/" size="sm" visibleFrom="sm" aria-label={__('Visit site', 'pentad')}>
            <IconExternalLink size={16} aria-hidden />
          </Anchor>
          <Group ms="auto" gap="xs" wrap="nowrap">
            {state === 'loading' && <Loader size="xs" aria-label={__('Loading', 'pentad')} />}
            {aside && (
              <Tooltip label={aside.shortcut.label}>
                <ActionIcon
                  variant={isAsideOpen ? 'filled' : 'default'}
                  size="lg"
                  ref={asideButton}
                  onClick={aside.toggle}
                  aria-keyshortcuts={aside.shortcut.aria}
                  aria-expanded={isAsideOpen}
                  aria-label={aside.title}
                >
                  <aside.icon size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
            <ColorScheme />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar mod={{ open: isNavOpen }} onKeyDown={leaveNav}>
        <ScrollArea type="auto" scrollbarSize={8}>
          <Box p="xs">
            <Navigation />
          </Box>
        </ScrollArea>
      </AppShell.Navbar>
      {/* On a phone the navigation covers it. */}
      <AppShell.Main id="main" tabIndex={-1} onFocus={nav.close}>
        <SafeMode />
        <Outlet />
      </AppShell.Main>
      {aside && (
        <AppShell.Aside aria-label={aside.title}>
          {isAsideOpen && AsidePanel && (
            <Suspense fallback={<Loader m="md" />}>
              <AsidePanel onClose={leaveAside} />
            </Suspense>
          )}
        </AppShell.Aside>
      )}
      <ConfirmPassword />
      <SignInAgain />
      <ScrollRestoration />
    </AppShell>
  )
}
