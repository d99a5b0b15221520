/* tests/oracle/measured.c - runs a command and writes what it took to descriptor 3, one line:
 *   STATUS SIGNAL CPU_MS WALL_MS PEAK_KIB
 * A command that runs for over 20 s is killed.   measured COMMAND ARGUMENT... */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WALL_MAX_S 20

static pid_t child;

static void on_alarm(int number)
{
    (void)number;
    (void)kill(child, SIGKILL);
}

static long milliseconds(struct timeval t) { return t.tv_sec * 1000 + t.tv_usec / 1000; }

int main(int argc, char **argv)
{
    struct timespec begin, end;
    struct rusage used;
    int status;

    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    child = argc > 1 ? fork() : -1;
    if (child < 0)
        return 125;
    if (child == 0) {
        (void)close(3);
        execv(argv[1], argv + 1);
        _exit(126);
    }
    (void)signal(SIGALRM, on_alarm);
    (void)alarm(WALL_MAX_S);
    while (wait4(child, &status, 0, &used) < 0)
        ;
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    (void)dprintf(3, "%d %d %ld %ld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                  WIFSIGNALED(status) ? WTERMSIG(status) : 0, milliseconds(used.ru_utime) + milliseconds(used.ru_stime),
                  (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000, used.ru_maxrss);
    return 0;
}
