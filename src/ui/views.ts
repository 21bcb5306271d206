import * as vscode from 'vscode';
import { SETTING } from './shell/names';
import type { Services } from './services';
import { ViewController } from './viewController';

/** Registers the views and the status bar item, and keeps their lists up to date. */
export function registerViews(services: Services): ViewController {
  const { disposables, context, settings, connection, coordinator, poolQuery, session } = services;
  disposables.add(
    context.secrets.onDidChange(({ key }) => session.secretChanged(key)),
    vscode.window.onDidChangeWindowState(({ focused }) => coordinator.setFocused(focused)),
    settings.onDidChange([SETTING.baseUrl], () => connection.settingChanged()),
    settings.onDidChange([SETTING.refreshIntervalSeconds], () => coordinator.setInterval('positions', services.intervals().positions)),
    settings.onDidChange([SETTING.poolsSortBy], () => poolQuery.settingChanged()),
  );
  return disposables.add(new ViewController(services));
}
