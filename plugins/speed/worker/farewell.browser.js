/** Stands where the worker was while it is switched off: browsers that still have it take this one and are rid of it. */
import { leave } from './leave.browser.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(leave()))
