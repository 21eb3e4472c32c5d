import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { HttpExecutor, type DownloadOptions, configureRequestOptions, configureRequestUrl } from "builder-util-runtime";

/** electron-updater's network over node:http instead of Electron's `net`. */
export class NodeHttpExecutor extends HttpExecutor<ClientRequest> {
  createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    return requestHttp(options, callback);
  }

  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const request: RequestOptions = { headers: options.headers ?? {} };
      configureRequestUrl(url, request);
      configureRequestOptions(request);
      const callback = (error: Error | null) =>
        error === null || error === undefined ? resolve(destination) : reject(error);
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }
}
